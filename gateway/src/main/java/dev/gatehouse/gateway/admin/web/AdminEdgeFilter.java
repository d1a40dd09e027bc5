package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.request.RequestId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first filter of the admin listener: it checks the Host field and the size of the body, and turns an unexpected
 * error into a response with a reference id from the log, never a stack trace.
 */
final class AdminEdgeFilter extends HttpFilter {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(AdminEdgeFilter.class);

  private final transient AdminHosts hosts;
  private final transient RandomGenerator random;

  AdminEdgeFilter(AdminHosts hosts, RandomGenerator random) {
    this.hosts = hosts;
    this.random = random;
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws IOException {
    String id = RequestId.create(random);
    response.setHeader(RequestId.FIELD, id);
    RequestId.call(
        id,
        () -> {
          answer(request, response, chain, id);
          return id;
        });
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, FilterChain chain, String id) throws IOException {
    // A request without Host (HTTP/1.0) does not come from a browser; container health checks send such requests.
    if (request.getHeader("Host") != null && !hosts.accepts(request.getServerName())) {
      AdminReplies.problem(
          response, 421, "Misdirected Request",
          "This listener is called by an address, by localhost, or by a name of its certificate.");
      return;
    }
    if (request.getContentLengthLong() > BoundedBody.MAX_BYTES) {
      response.setHeader("Connection", "close");
      AdminReplies.problem(response, 413, "Content Too Large", BoundedBody.TOO_LARGE);
      return;
    }
    try {
      chain.doFilter(new BoundedBody.Request(request), response);
    } catch (Exception | Error fault) {
      LOG.error("The admin listener could not answer {}, reference {}", request.getMethod(), id, fault);
      if (!response.isCommitted()) {
        response.reset();
        response.setHeader(RequestId.FIELD, id);
        AdminReplies.problem(
            response, 500, "Internal Server Error", "The node could not do this. Reference: " + id);
      } else {
        IncompleteAnswers.end(request, response);
      }
    }
  }
}
