package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.compute.Busy;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.otp.replica.ReplicationRefused;
import dev.gatehouse.common.page.References;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.refusal.FaultLog;
import dev.gatehouse.common.refusal.Outage;
import dev.gatehouse.common.store.StoreUnavailable;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Turns exceptions into problem details (RFC 9457); an internal error gets a reference id that the log contains. */
@RestControllerAdvice
public final class AdminProblems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(AdminProblems.class);

  /** What is said while a turn does not come. */
  public static final String BUSY = "Others are being served: try again in a few seconds";

  /** The refused message in the audit log. */
  static final String ADMINISTRATION = "administration";

  private final RefusalLog refusals;
  private final RandomGenerator random;
  private final FaultLog faults = new FaultLog(LOG);

  AdminProblems(RefusalLog refusals, RandomGenerator random) {
    this.refusals = refusals;
    this.random = random;
  }

  /** Returns the problem of a request that ended with this exception; refusals are audited, and faults logged. */
  public ProblemDetail of(Throwable problem, HttpServletRequest request) {
    return switch (problem) {
      case NotFound missing -> notFound(missing);
      case BadRequest bad -> badRequest(bad);
      case Conflict conflict -> conflict(conflict);
      case Precondition precondition -> precondition(precondition);
      case RoleMissing missing -> roleMissing(missing, request);
      case MorePowerful powerful -> morePowerful(powerful, request);
      case AuditUnavailable unavailable -> auditUnavailable(unavailable);
      case StoreUnavailable unavailable -> storeUnavailable(unavailable);
      case DataAccessException unavailable -> databaseUnavailable(unavailable);
      case DirectoryUnavailable unavailable -> directoryUnavailable(unavailable);
      case Busy busy -> busy();
      case ErrorResponse known -> known.getBody();
      case TypeMismatchException mismatch -> ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "A value in the address has another form.");
      default -> fault(problem);
    };
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
  ProblemDetail conflict(Conflict conflict) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, conflict.getMessage());
  }

  /** A refusal that cannot be audited is answered as every other request that cannot be. */
  @ExceptionHandler
  ProblemDetail roleMissing(RoleMissing missing, HttpServletRequest request) {
    List<String> grants = missing.rights().grants().stream().map(AdministratorGrant::toString).toList();
    String realm = missing.realm().orElse(AdminRights.NODE);
    String reference;
    try {
      reference =
          refused(
              request, realm, missing.rights(), "ADMINISTRATOR_ROLE_MISSING",
              missing.role().map(AdministratorRole::word).orElse("-") + " for " + request.getMethod());
    } catch (AuditUnavailable unavailable) {
      return auditUnavailable(unavailable);
    }
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.FORBIDDEN, missing.getMessage());
    missing.role().ifPresent(role -> problem.setProperty("requiredRole", role.word()));
    missing.realm().ifPresent(name -> problem.setProperty("requiredRealm", name));
    problem.setProperty("roles", grants);
    problem.setProperty("reference", reference);
    return problem;
  }

  @ExceptionHandler
  ProblemDetail morePowerful(MorePowerful powerful, HttpServletRequest request) {
    String reference;
    try {
      reference =
          refused(
              request, powerful.realm(), powerful.rights(), "ADMINISTRATOR_MORE_POWERFUL",
              powerful.grant() + " for " + request.getMethod());
    } catch (AuditUnavailable unavailable) {
      return auditUnavailable(unavailable);
    }
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.FORBIDDEN, powerful.getMessage());
    problem.setProperty("requiredRole", powerful.grant().role().word());
    powerful.grant().realm().ifPresent(name -> problem.setProperty("requiredRealm", name));
    problem.setProperty("roles", powerful.rights().grants().stream().map(AdministratorGrant::toString).toList());
    problem.setProperty("reference", reference);
    return problem;
  }

  private String refused(HttpServletRequest request, String realm, AdminRights rights, String reason, String detail) {
    return refusals.record(realm, AdminKeyFilter.client(request), rights.administrator(), ADMINISTRATION, reason, detail);
  }

  /** RFC 9470, section 3. */
  @ExceptionHandler
  ProblemDetail loginTooOld(LoginTooOld old, HttpServletResponse response) {
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, LoginTooOld.CHALLENGE);
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.UNAUTHORIZED, old.getMessage());
    problem.setProperty("error", "insufficient_user_authentication");
    problem.setProperty("max_age", LoginTooOld.MAX_AGE.toSeconds());
    return problem;
  }

  @ExceptionHandler
  ProblemDetail precondition(Precondition precondition) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(precondition.status(), precondition.getMessage());
    precondition.properties().forEach(problem::setProperty);
    return problem;
  }

  @ExceptionHandler
  ProblemDetail busy(Busy busy, HttpServletResponse response) {
    response.setHeader(HttpHeaders.RETRY_AFTER, Outage.retryAfter());
    return busy();
  }

  private static ProblemDetail busy() {
    return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, BUSY);
  }

  @ExceptionHandler
  ProblemDetail auditUnavailable(AuditUnavailable unavailable) {
    return fault(HttpStatus.SERVICE_UNAVAILABLE, "The audit log cannot be written; nothing was changed.", unavailable);
  }

  @ExceptionHandler
  ProblemDetail storeUnavailable(StoreUnavailable unavailable) {
    return fault(HttpStatus.SERVICE_UNAVAILABLE, "This cannot be stored at the moment; nothing was changed.", unavailable);
  }

  @ExceptionHandler
  ProblemDetail databaseUnavailable(DataAccessException unavailable) {
    if (ReplicationRefused.isMeantBy(unavailable)) {
      return ProblemDetail.forStatusAndDetail(
          HttpStatus.CONFLICT, "This server is a replica of one-time passwords, which follows the primary: change it there.");
    }
    return fault(HttpStatus.SERVICE_UNAVAILABLE, "The database cannot be used at the moment.", unavailable);
  }

  @ExceptionHandler
  ProblemDetail directoryUnavailable(DirectoryUnavailable unavailable) {
    return fault(HttpStatus.SERVICE_UNAVAILABLE, "The directory does not answer at the moment; nothing was changed.", unavailable);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
      HttpMessageNotReadableException unreadable, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    for (Throwable cause = unreadable; cause != null; cause = cause.getCause()) {
      if (cause instanceof BoundedBody.TooLarge) {
        headers.setConnection("close");
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONTENT_TOO_LARGE, BoundedBody.TOO_LARGE);
        return handleExceptionInternal(unreadable, problem, headers, HttpStatus.CONTENT_TOO_LARGE, request);
      }
    }
    return BodyProblem.of(unreadable)
        .map(why -> handleExceptionInternal(unreadable, ProblemDetail.forStatusAndDetail(status, why), headers, status, request))
        .orElseGet(() -> super.handleHttpMessageNotReadable(unreadable, headers, status, request));
  }

  /** Handles Errors as well, because health checks must be answered while memory is short. */
  @ExceptionHandler
  ProblemDetail fault(Throwable fault) {
    return fault(HttpStatus.INTERNAL_SERVER_ERROR, "The node could not do this.", fault);
  }

  private ProblemDetail fault(HttpStatus status, String detail, Throwable fault) {
    String reference = References.create(random);
    faults.failed("Administration (reference " + reference + ")", fault);
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
    problem.setProperty("reference", reference);
    return problem;
  }
}
