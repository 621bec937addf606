# attention_embed(<target> <name> <file>…): compiles the files into the target, to be read through
# the generated header "embedded/<name>.h":
#   attention::embedded::<name>::bytes("file.ext")  span of bytes, empty if there is no such file
#   attention::embedded::<name>::text("file.ext")   the same as string_view
#   attention::embedded::<name>::names()            all file names
# Files are known by their last path component.
set(ATTENTION_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedScript.cmake)

function(attention_embed target name)
  set(folder ${CMAKE_BINARY_DIR}/generated/embedded)
  set(outputs ${folder}/${name}.h ${folder}/${name}.cpp)
  add_custom_command(OUTPUT ${outputs}
    COMMAND ${CMAKE_COMMAND} "-DNAME=${name}" "-DFOLDER=${folder}" "-DFILES=${ARGN}"
            -P ${ATTENTION_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${ATTENTION_EMBED_SCRIPT} VERBATIM
    COMMENT "Embedding ${name}")
  target_sources(${target} PRIVATE ${outputs})
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()
