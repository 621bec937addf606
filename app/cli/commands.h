// The commands, one file each, and the part of reach that has a file of its own.
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

// attnx reach --rollout: weighted reach (attention rollout) of the layers of an input, with the
// weights of attention over patterns. The layers are the items of the input's leading axis, the
// patterns in turn. E_UNSUPPORTED, E_RANGE, and what attend throws.
int printRollout(const Arguments& arguments, const Context& context);

} // namespace attention::cli
