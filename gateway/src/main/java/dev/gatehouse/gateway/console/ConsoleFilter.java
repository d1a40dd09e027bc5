package dev.gatehouse.gateway.console;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.refusal.FaultLog;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.gateway.admin.web.AdminKeyFilter;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import dev.gatehouse.gateway.admin.web.MultipartForm;
import dev.gatehouse.gateway.admin.web.ServletRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;

/**
 * Admits requests below {@code /console/} with a session, and sends the others to the login page. A form that no page of ours has sent
 * goes no further, whatever page it is for.
 */
final class ConsoleFilter extends HttpFilter {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleFilter.class);

  /** Enough for every form but those with metadata. */
  private static final int LONGEST_FORM = 64 << 10;

  /** Forms with a file or with metadata, percent-encoded; read only from browsers with a session. */
  private static final int LONGEST_UPLOAD = 3 << 20;

  private static final byte[] NOTHING = new byte[0];

  private final transient FaultLog faults = new FaultLog(LOG);
  private final transient AdminSessions sessions;
  private final transient ConsoleLogin login;
  private final transient PersonLoginEndpoint personLogin;
  private final transient SetUpEndpoint setUp;
  private final transient ConsolePages pages;

  ConsoleFilter(AdminSessions sessions, ConsoleLogin login, PersonLoginEndpoint personLogin, SetUpEndpoint setUp, ConsolePages pages) {
    this.sessions = sessions;
    this.login = login;
    this.personLogin = personLogin;
    this.setUp = setUp;
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
    } catch (DataAccessException | StoreUnavailable | DirectoryUnavailable e) {
      faults.failed("A request to the console, of which login or roles cannot be read,", e);
      reply = Optional.of(pages.login(request, 503, "person-unavailable"));
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
    Optional<EdgeReply> open = withoutSession(request);
    if (open.isPresent()) {
      return open;
    }
    Optional<SessionToken> token = AdminSessions.token(request);
    boolean isRepeated = request.path().equals(ChartsPage.LIVE);
    Optional<AdminRights> rights = token.flatMap(held -> isRepeated ? sessions.look(held, request) : sessions.use(held, request));
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
    AdminKeyFilter.admit(servlet, known.rights());
    return Optional.empty();
  }

  /** Returns the reply of a page that needs no session. */
  private Optional<EdgeReply> withoutSession(EdgeRequest request) {
    return switch (request.path()) {
      case Address.LOGIN -> Optional.of(login.answer(request));
      case Address.PERSON_LOGIN -> Optional.of(personLogin.begin(request));
      case AdminLogin.CALLBACK -> Optional.of(personLogin.finish(request));
      case Address.SET_UP -> Optional.of(setUp.answer(request));
      default -> Optional.empty();
    };
  }

  /** Returns the request with its body; empty if that is too long. Long forms are read only from those who are logged in. */
  private Optional<EdgeRequest> request(HttpServletRequest servlet) throws IOException {
    EdgeRequest head = ServletRequests.edge(servlet, NOTHING);
    if (!servlet.getMethod().equals("POST")) {
      return Optional.of(head);
    }
    Optional<String> multipart = MultipartForm.type(servlet.getContentType());
    boolean mayBeLong = multipart.isPresent() || servlet.getRequestURI().contains("/add/");
    boolean isKnown = mayBeLong && AdminSessions.token(head).flatMap(token -> sessions.use(token, head)).isPresent();
    int longest = isKnown ? LONGEST_UPLOAD : LONGEST_FORM;
    byte[] body = servlet.getInputStream().readNBytes(longest + 1);
    if (body.length > longest) {
      return Optional.empty();
    }
    if (multipart.isEmpty() || !isKnown) {
      return Optional.of(ServletRequests.edge(servlet, body));
    }
    byte[] form = MultipartForm.urlEncoded(body, multipart.get());
    return Optional.of(ServletRequests.edge(servlet, form).withHeaderFirst("Content-Type", "application/x-www-form-urlencoded"));
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
      if (field.name().equals("Set-Cookie")) {
        response.addHeader(field.name(), field.value());
      } else {
        response.setHeader(field.name(), field.value());
      }
    }
    response.setContentLength(reply.body().length);
    if (!head) {
      response.getOutputStream().write(reply.body());
    }
  }
}
