# One interface target that every target of ours links: warnings are errors, sanitizers are whole-program.
add_library(attention_warnings INTERFACE)
target_compile_options(attention_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-qual -Werror)
if(ATTENTION_SANITIZE)
  target_compile_options(attention_warnings INTERFACE
    -fsanitize=${ATTENTION_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(attention_warnings INTERFACE -fsanitize=${ATTENTION_SANITIZE})
endif()
