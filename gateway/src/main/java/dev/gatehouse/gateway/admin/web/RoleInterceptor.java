package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.key.AdministratorRole;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Checks that the administrator has the role of the operation ({@link RequiresRole}) before the request is read. What has no such
 * annotation is refused, except for the OpenAPI document, which needs no key either. A dangerous operation also needs a recent login.
 */
final class RoleInterceptor implements HandlerInterceptor {

  private static final String REALM = "realm";

  private final InstantSource time;

  RoleInterceptor(InstantSource time) {
    this.time = time;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (request.getRequestURI().equals(AdminKeyFilter.DESCRIPTION)) {
      return true;
    }
    AdminRights rights = AdminRights.of(request).orElse(new AdminRights(AdminRights.NODE, List.of()));
    RequiresRole required = handler instanceof HandlerMethod method ? method.getMethodAnnotation(RequiresRole.class) : null;
    if (required == null) {
      throw new RoleMissing(Optional.empty(), Optional.empty(), rights);
    }
    requireRole(request, (HandlerMethod) handler, required, rights);
    requireKnownParameters(request, (HandlerMethod) handler);
    if (required.recentLogin()) {
      rights.requireRecentLogin(time.instant());
    }
    return true;
  }

  /**
   * Throws unless the operation has each parameter of the address, once. What is not known would be left out without a word:
   * {@code dryrun=true} would bring a change into use that somebody only wanted to see. Pages of the console are another matter: they
   * read forms and addresses of their own making.
   */
  private static void requireKnownParameters(HttpServletRequest request, HandlerMethod handler) {
    String query = request.getQueryString();
    // Pages of the console read their parameters by themselves.
    boolean isApi = String.valueOf(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)).startsWith("/admin/v1/");
    if (query == null || query.isEmpty() || !isApi) {
      return;
    }
    Set<String> known = parameters(handler);
    Set<String> seen = new HashSet<>();
    for (String pair : query.split("&")) {
      String name = URLDecoder.decode(pair.contains("=") ? pair.substring(0, pair.indexOf('=')) : pair, StandardCharsets.UTF_8);
      if (!name.isEmpty() && !known.contains(name)) {
        throw new BadRequest(
            "`" + name.substring(0, Math.min(name.length(), 40)) + "` is no parameter of this operation. "
                + (known.isEmpty() ? "It has none." : "Known here: " + String.join(", ", known) + "."));
      }
      if (!name.isEmpty() && !seen.add(name)) {
        throw new BadRequest("The parameter `" + name + "` is there twice.");
      }
    }
  }

  /** Returns the parameters of its method, and those that it reads from a map and therefore describes itself. */
  private static Set<String> parameters(HandlerMethod handler) {
    Stream<String> ofMethod =
        Arrays.stream(handler.getMethodParameters())
            .flatMap(parameter -> Stream.ofNullable(parameter.getParameterAnnotation(RequestParam.class)))
            .map(parameter -> parameter.value().isEmpty() ? parameter.name() : parameter.value())
            .filter(name -> !name.isEmpty());
    Stream<String> described =
        Stream.ofNullable(handler.getMethodAnnotation(Operation.class))
            .flatMap(operation -> Arrays.stream(operation.parameters()))
            .filter(parameter -> parameter.in() == ParameterIn.QUERY)
            .map(Parameter::name);
    return Stream.concat(ofMethod, described).collect(Collectors.toCollection(TreeSet::new));
  }

  private static void requireRole(HttpServletRequest request, HandlerMethod handler, RequiresRole required, AdminRights rights) {
    AdministratorRole role = required.value();
    if (required.checksRealms()) {
      if (!rights.maySomewhere(role)) {
        throw new RoleMissing(Optional.of(role), Optional.empty(), rights);
      }
      return;
    }
    Optional<String> realm = realm(request, handler);
    if (realm.isPresent()) {
      rights.require(role, realm.get());
    } else {
      rights.requireEverywhere(role);
    }
  }

  /** Returns whether the operation names a realm by a path variable or parameter. */
  static boolean namesRealm(HandlerMethod method) {
    return Arrays.stream(method.getMethodParameters()).anyMatch(parameter -> isPath(parameter) || isQuery(parameter));
  }

  private static boolean isPath(MethodParameter parameter) {
    PathVariable variable = parameter.getParameterAnnotation(PathVariable.class);
    return variable != null && variable.value().equals(REALM);
  }

  private static boolean isQuery(MethodParameter parameter) {
    RequestParam variable = parameter.getParameterAnnotation(RequestParam.class);
    return variable != null && (variable.value().equals(REALM) || variable.name().equals(REALM));
  }

  /**
   * Returns the realm that the operation will read. A parameter that the operation does not declare is not looked at: otherwise
   * {@code ?realm=own} would narrow what an operation needs that reads no realm and concerns all.
   */
  private static Optional<String> realm(HttpServletRequest request, HandlerMethod method) {
    if (!namesRealm(method)) {
      return Optional.empty();
    }
    if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> variables
        && variables.get(REALM) instanceof String named) {
      return Optional.of(named);
    }
    String[] values = request.getParameterValues(REALM);
    return values != null && values.length == 1 ? Optional.of(values[0]) : Optional.empty();
  }
}
