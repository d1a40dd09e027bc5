package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.page.References;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Turns what went wrong into problem details (RFC 9457); a fault of ours gets a reference id that the log knows. */
@RestControllerAdvice
final class AdminProblems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AdminProblems.class);

  private final RandomGenerator random;

  AdminProblems(RandomGenerator random) {
    this.random = random;
  }

  @ExceptionHandler
  ProblemDetail notFound(NotFound missing) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, missing.getMessage());
  }

  @ExceptionHandler
  ProblemDetail badRequest(BadRequest bad) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, bad.getMessage());
  }

  @ExceptionHandler
  ProblemDetail auditUnavailable(AuditUnavailable unavailable) {
    return fault(HttpStatus.SERVICE_UNAVAILABLE, "The audit log cannot be written; nothing was changed.", unavailable);
  }

  @ExceptionHandler
  ProblemDetail fault(RuntimeException fault) {
    return fault(HttpStatus.INTERNAL_SERVER_ERROR, "The node could not do this.", fault);
  }

  private ProblemDetail fault(HttpStatus status, String detail, RuntimeException fault) {
    String reference = References.create(random);
    LOG.error("Administration failed, reference {}", reference, fault);
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setProperty("reference", reference);
    return problem;
  }
}
