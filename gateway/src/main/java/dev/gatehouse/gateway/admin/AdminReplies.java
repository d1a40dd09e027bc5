package dev.gatehouse.gateway.admin;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes problem details (RFC 9457) for requests that are answered before they reach an endpoint. */
final class AdminReplies {

  private AdminReplies() {}

  /** @param detail a fixed text without characters that JSON requires to be escaped */
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
