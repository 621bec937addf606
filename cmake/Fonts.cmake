# ATTENTION_FONTS: the font files that are embedded under fixed names. DejaVu Sans and Sans Mono are
# needed (they hold the mathematical signs); Inter is the text face where it is installed.
set(ATTENTION_FONT_FOLDERS
  /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu-sans-fonts /usr/share/fonts/dejavu-sans-mono-fonts
  /usr/share/fonts/TTF /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/inter
  /opt/homebrew/share/fonts $ENV{HOME}/Library/Fonts)

attention_may_fetch(dejavu may)
find_file(ATTENTION_FONT_SANS NAMES DejaVuSans.ttf PATHS ${ATTENTION_FONT_FOLDERS} NO_DEFAULT_PATH)
if(NOT ATTENTION_FONT_SANS AND may)
  attention_fetch_dejavu()
  list(APPEND ATTENTION_FONT_FOLDERS ${dejavu_SOURCE_DIR}/ttf)
endif()

function(attention_font variable)
  find_file(${variable} NAMES ${ARGN} PATHS ${ATTENTION_FONT_FOLDERS} NO_DEFAULT_PATH)
endfunction()

attention_font(ATTENTION_FONT_SANS DejaVuSans.ttf)
attention_font(ATTENTION_FONT_SANS_BOLD DejaVuSans-Bold.ttf)
attention_font(ATTENTION_FONT_MONO DejaVuSansMono.ttf)
attention_need(ATTENTION_FONT_SANS fonts-dejavu-core)
attention_need(ATTENTION_FONT_SANS_BOLD fonts-dejavu-core)
attention_need(ATTENTION_FONT_MONO fonts-dejavu-core)
attention_font(ATTENTION_FONT_INTER Inter-Regular.otf Inter-Regular.ttf)
attention_font(ATTENTION_FONT_INTER_BOLD Inter-SemiBold.otf Inter-SemiBold.ttf)

set(ATTENTION_FONTS ${ATTENTION_FONT_SANS} ${ATTENTION_FONT_SANS_BOLD} ${ATTENTION_FONT_MONO})
if(ATTENTION_FONT_INTER AND ATTENTION_FONT_INTER_BOLD)
  list(APPEND ATTENTION_FONTS ${ATTENTION_FONT_INTER} ${ATTENTION_FONT_INTER_BOLD})
endif()
