# ATTENTION_POISON: core compiles where every header of the window is an error. Shows that it needs
# neither OpenGL nor ImGui.
foreach(header imgui.h imgui/imgui.h GLFW/glfw3.h GL/gl.h GL/glcorearb.h GLES3/gl3.h EGL/egl.h
               epoxy/gl.h epoxy/egl.h)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/poison/${header}
       CONTENT "#error \"core includes ${header}, which belongs to the window\"\n")
endforeach()
foreach(library attention_math attention_io)
  target_include_directories(${library} BEFORE PRIVATE ${CMAKE_BINARY_DIR}/poison)
endforeach()
