#version 330 core
// One triangle that covers the viewport; draw three vertices without attributes.
// out uv: (0, 0) at the first row of the target texture, (1, 1) at the end of its last.
out vec2 uv;

void main() {
  uv = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
