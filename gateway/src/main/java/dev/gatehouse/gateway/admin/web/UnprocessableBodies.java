package dev.gatehouse.gateway.admin.web;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes problem details (RFC 9457) of the answer that says what is wrong with a configuration. Its own members, {@code problems} before
 * all, are the extension members of the problem.
 */
@RestControllerAdvice
final class UnprocessableBodies implements ResponseBodyAdvice<Object> {

  private static final int UNPROCESSABLE = HttpStatus.UNPROCESSABLE_CONTENT.value();

  private final JsonMapper json;

  UnprocessableBodies(JsonMapper json) {
    this.json = json;
  }

  @Override
  public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
    return true;
  }

  @Override
  public @Nullable Object beforeBodyWrite(
      @Nullable Object body,
      MethodParameter returned,
      MediaType type,
      Class<? extends HttpMessageConverter<?>> converter,
      ServerHttpRequest request,
      ServerHttpResponse response) {
    if (!(body instanceof Record view)
        || !(response instanceof ServletServerHttpResponse servlet)
        || servlet.getServletResponse().getStatus() != UNPROCESSABLE) {
      return body;
    }
    ObjectNode problem = json.createObjectNode();
    ObjectNode members = json.valueToTree(view);
    problem.put("title", HttpStatus.UNPROCESSABLE_CONTENT.getReasonPhrase());
    problem.put("status", UNPROCESSABLE);
    problem.put("detail", detail(members.path("problems")));
    problem.put("instance", request.getURI().getRawPath());
    members.properties().forEach(member -> problem.set(member.getKey(), member.getValue()));
    response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    return problem;
  }

  private static String detail(JsonNode problems) {
    JsonNode first = problems.path(0);
    String more = problems.size() > 1 ? " " + (problems.size() - 1) + " more in `problems`." : "";
    return "Nothing was changed. " + first.path("key").asString("") + " " + first.path("message").asString("") + ": "
        + first.path("remedy").asString("") + "." + more;
  }
}
