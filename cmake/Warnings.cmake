# One interface target that every target of ours links: warnings are errors, sanitizers are whole-program.
# g++'s plain -Wshadow also warns of enumerators of scoped enums that are called like a type.
add_library(attention_warnings INTERFACE)
target_compile_options(attention_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> $<$<NOT:$<CXX_COMPILER_ID:GNU>>:-Wshadow>
  -Wold-style-cast -Wcast-qual -Werror)
# g++ 12 sees overlapping and overlong copies in `"text" + string` that are not there (GCC bugs 105651
# and 105329), and says so of libstdc++'s own headers once they are precompiled: AddressSanitizer sees
# the true ones. What else its optimiser guesses is said but no error.
target_compile_options(attention_warnings INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
    -Wno-error=maybe-uninitialized -Wno-error=stringop-overread
    -Wno-error=dangling-pointer -Wno-error=use-after-free -Wno-error=free-nonheap-object>)
# With sanitizers g++ 12 sees uninitialized values where there are none (in std::regex, say): there
# warnings are only said. The checks for null and vptr cost a fifth of the compile time, and
# AddressSanitizer sees most of what they see. The library's own assertions see what it cannot: the
# front of an empty vector whose memory is still held.
if(ATTENTION_SANITIZE)
  target_compile_options(attention_warnings INTERFACE
    -fsanitize=${ATTENTION_SANITIZE} -fno-sanitize=null,vptr -fno-sanitize-recover=all
    -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS -Wno-error
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(attention_warnings INTERFACE -fsanitize=${ATTENTION_SANITIZE})
endif()
