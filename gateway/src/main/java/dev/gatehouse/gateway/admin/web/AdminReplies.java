package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.codec.JsonText;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes problem details (RFC 9457) for requests that are answered before they reach an endpoint. */
final class AdminReplies {

  private AdminReplies() {}

  /** Writes a problem. */
  static void problem(HttpServletResponse response, int status, String title, String detail) throws IOException {
    response.setStatus(status);
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentType("application/problem+json");
    JsonText problem =
        new JsonText().text("type", "about:blank").text("title", title).number("status", status).text("detail", detail);
    response.getOutputStream().write(problem.toBytes());
  }
}
