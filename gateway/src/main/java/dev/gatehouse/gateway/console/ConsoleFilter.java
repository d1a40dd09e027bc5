package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.http.ResponseEntity;

/**
 * Admits requests below {@code /console/} with a session, and sends the others to the login page. A form that no page of ours has sent
 * goes no further, whatever page it is for.
 */
final class ConsoleFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  /** Enough for every form but those with metadata. */
  private static final int LONGEST_FORM = 64 << 10;

  /** Enough for the metadata of a partner, percent-encoded; read only from browsers with a session. */
  private static final int LONGEST_WITH_METADATA = 1 << 20;

  private static final byte[] NOTHING = new byte[0];

  private final transient ConsoleSessions sessions;
  private final transient ConsoleLogin login;
  private final transient ConsolePages pages;

  ConsoleFilter(ConsoleSessions sessions, ConsoleLogin login, ConsolePages pages) {
    this.sessions = sessions;
    this.login = login;
    this.pages = pages;
  }

  @Override
  protected void doFilter(HttpServletRequest servlet, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<EdgeRequest> read = request(servlet);
    if (read.isEmpty()) {
      response.setHeader("Connection", "close");
      response.sendError(413);
      return;
    }
    EdgeRequest request = read.get();
    Optional<EdgeReply> reply;
    try {
      reply = before(request, servlet);
    } catch (Parameters.Malformed e) {
      response.sendError(400);
      return;
    }
    if (reply.isPresent()) {
      write(reply.get(), request.method().equals("HEAD"), response);
    } else {
      chain.doFilter(servlet, response);
    }
  }

  /** Returns the reply to a request that no page answers; otherwise says to the pages who asks. */
  private Optional<EdgeReply> before(EdgeRequest request, HttpServletRequest servlet) {
    if (request.path().equals("/console")) {
      return Optional.of(EdgeReply.seeOther(Address.CONSOLE));
    }
    if (request.path().equals(Address.LOGIN)) {
      return Optional.of(login.answer(request));
    }
    Optional<SessionToken> token = ConsoleLogin.token(request);
    Optional<AdminRights> rights = token.flatMap(sessions::use);
    if (rights.isEmpty()) {
      // A script would follow a redirect, and show the login page inside of another page.
      Headers toLogin = Headers.of(List.of(new Headers.Field("HX-Redirect", Address.LOGIN)));
      boolean isOfScript = request.headers().first("HX-Request").isPresent();
      return Optional.of(isOfScript ? new EdgeReply(401, toLogin, NOTHING) : EdgeReply.seeOther(Address.LOGIN));
    }
    ConsoleRequest known = new ConsoleRequest(request, token.orElseThrow(), rights.get());
    if (!request.isGet() && !CsrfToken.isIn(request, known.token(), ConsoleRequest.FORM)) {
      return Optional.of(reply(pages.error(known, 403, "No page of this console has sent this form. Open the page anew, and try again.", "")));
    }
    if (request.path().equals(Address.LOGOUT) && request.method().equals("POST")) {
      return Optional.of(login.logOut(request, known.token()));
    }
    servlet.setAttribute(ConsoleRequest.ATTRIBUTE, known);
    servlet.setAttribute(AdminKeyFilter.ADMINISTRATOR, known.rights().administrator());
    servlet.setAttribute(AdminKeyFilter.RIGHTS, known.rights());
    return Optional.empty();
  }

  /** Returns the request with its body; empty if that is too long. */
  private Optional<EdgeRequest> request(HttpServletRequest servlet) throws IOException {
    EdgeRequest head = head(servlet);
    if (!servlet.getMethod().equals("POST")) {
      return Optional.of(head);
    }
    boolean mayBeLong = servlet.getRequestURI().contains("/add/") && ConsoleLogin.token(head).flatMap(sessions::use).isPresent();
    int longest = mayBeLong ? LONGEST_WITH_METADATA : LONGEST_FORM;
    byte[] body = servlet.getInputStream().readNBytes(longest + 1);
    return body.length > longest ? Optional.empty() : Optional.of(head.withBody(body));
  }

  private static EdgeRequest head(HttpServletRequest servlet) {
    List<Headers.Field> fields = new ArrayList<>();
    for (String name : Collections.list(servlet.getHeaderNames())) {
      if (!name.equalsIgnoreCase("Host")) {
        servlet.getHeaders(name).asIterator().forEachRemaining(value -> fields.add(new Headers.Field(name, value)));
      }
    }
    Origin origin = new Origin(servlet.isSecure() ? "https" : "http", servlet.getServerName(), servlet.getServerPort());
    String query = Optional.ofNullable(servlet.getQueryString()).orElse("");
    return new EdgeRequest(
        servlet.getMethod(), origin, servlet.getRequestURI(), query, Headers.of(fields), NOTHING, AdminKeyFilter.client(servlet));
  }

  private static EdgeReply reply(ResponseEntity<byte[]> page) {
    List<Headers.Field> fields = new ArrayList<>();
    page.getHeaders().forEach((name, values) -> values.forEach(value -> fields.add(new Headers.Field(name, value))));
    return new EdgeReply(page.getStatusCode().value(), Headers.of(fields), Optional.ofNullable(page.getBody()).orElse(NOTHING));
  }

  private static void write(EdgeReply reply, boolean head, HttpServletResponse response) throws IOException {
    response.setStatus(reply.status());
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    for (Headers.Field field : reply.headers().fields()) {
      response.setHeader(field.name(), field.value());
    }
    response.setContentLength(reply.body().length);
    if (!head) {
      response.getOutputStream().write(reply.body());
    }
  }
}
