// The commands, one file each.
#pragma once

#include "app/cli/command.h"

namespace attention::cli {

Command guiCommand();
Command patternsCommand();
Command maskCommand();
Command infoCommand();
Command countCommand();
Command tilesCommand();
Command ranksCommand();
Command stackCommand();
Command checkCommand();
Command whyCommand();
Command diffCommand();
Command attendCommand();
Command stepsCommand();
Command headsCommand();
Command compareCommand();
Command kernelCommand();
Command kernelErrorCommand();
Command lowrankCommand();
Command axialCommand();
Command timeCommand();
Command reachCommand();
Command lshCommand();
Command codeCommand();
Command figureCommand();
Command animateCommand();
Command verifyCommand();
Command modelCommand();
Command verifyModelCommand();
Command completionCommand();

} // namespace attention::cli
