package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.http.Parameters.Parameter;
import dev.gatehouse.gateway.admin.web.AdminProblems;
import dev.gatehouse.gateway.admin.web.AdminSessions;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.LoginTooOld;
import dev.gatehouse.gateway.admin.web.SavedForm;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestAttribute;

/** Answers the exceptions of the console's pages with a page that says what the REST interface says. */
@ControllerAdvice(basePackageClasses = ConsoleErrors.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConsoleErrors {

  private final AdminProblems problems;
  private final AdminSessions sessions;
  private final ConsolePages pages;

  ConsoleErrors(AdminProblems problems, AdminSessions sessions, ConsolePages pages) {
    this.problems = problems;
    this.sessions = sessions;
    this.pages = pages;
  }

  @ExceptionHandler
  ResponseEntity<byte[]> page(
      Throwable fault, HttpServletRequest servlet, @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    if (fault instanceof LoginTooOld) {
      return logInAgain(request);
    }
    Throwable known = fault instanceof Parameters.Malformed ? new BadRequest("The form cannot be read.") : fault;
    ProblemDetail problem = problems.of(known, servlet);
    Map<String, Object> properties = Optional.ofNullable(problem.getProperties()).orElse(Map.of());
    return pages.error(
        request,
        problem.getStatus(),
        Optional.ofNullable(problem.getDetail()).orElse(""),
        String.valueOf(properties.getOrDefault("reference", "")));
  }

  /** A form waits in the session, so that nothing of it is lost. */
  private ResponseEntity<byte[]> logInAgain(ConsoleRequest request) {
    if (request.http().isGet()) {
      String query = request.http().query();
      return pages.logInAgain(request, request.http().path() + (query.isEmpty() ? "" : "?" + query), false);
    }
    List<Parameter> fields =
        request.http().formParameters().all().stream().filter(field -> !field.name().equals("csrf")).toList();
    sessions.save(request.token(), new SavedForm(request.http().path(), fields));
    return pages.logInAgain(request, Address.CONSOLE, true);
  }
}
