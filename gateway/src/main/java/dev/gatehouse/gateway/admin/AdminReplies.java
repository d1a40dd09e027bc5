package dev.gatehouse.gateway.admin;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Problem details (RFC 9457) of what is answered before any endpoint is asked. */
final class AdminReplies {

  private AdminReplies() {}

  /** @param detail of ours: nothing in it has to be escaped in JSON */
  static void problem(HttpServletResponse response, int status, String title, String detail) throws IOException {
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType("application/problem+json");
    response.setCharacterEncoding("UTF-8");
    response
        .getWriter()
        .write(
            "{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}".formatted(title, status, detail));
  }
}
