package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Sends an authorization response to its redirect URI, always with {@code state} and {@code iss} (RFC 9207): by 303,
 * never by a status that lets a browser repeat a form (RFC 9700, section 4.12), or by a form that submits itself.
 */
final class AuthorizationReply {

  private static final Page REDIRECT = Page.of(200, "redirect", Map.of());

  private final Pages pages;

  AuthorizationReply(Pages pages) {
    this.pages = pages;
  }

  /** A hidden form field. */
  private record Field(String name, String value) {}

  EdgeReply error(RealmRequest request, ResponseTarget reply, OAuthError error, boolean afterForm) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("error", error.code().value());
    parameters.put("error_description", error.description());
    return send(request, reply, parameters, afterForm);
  }

  /**
   * @param parameters in the order in which they are sent; state and issuer follow
   * @param afterForm whether this reply ends a series of redirects that began with one of our forms
   */
  EdgeReply send(RealmRequest request, ResponseTarget reply, Map<String, String> parameters, boolean afterForm) {
    Map<String, String> all = new LinkedHashMap<>(parameters);
    reply.state().ifPresent(state -> all.put("state", state));
    all.put("iss", request.entityId());
    return switch (reply.mode()) {
      case QUERY -> redirect(request, query(reply.redirectUri()) + encoded(all), afterForm);
      case FRAGMENT -> redirect(request, reply.redirectUri() + "#" + encoded(all), afterForm);
      case FORM_POST -> form(request, reply.redirectUri(), all);
    };
  }

  /** Form Post Response Mode, section 2. The template escapes the values. */
  private EdgeReply form(RealmRequest request, String action, Map<String, String> parameters) {
    List<Field> fields =
        parameters.entrySet().stream().map(entry -> new Field(entry.getKey(), entry.getValue())).toList();
    return pages.render(
        request.http(),
        Optional.of(request.realm()),
        new Page(
            200,
            "form-post",
            Map.of("action", action, "fields", fields),
            new Page.Policy(List.of(), List.of(), true, 0)));
  }

  /**
   * Chromium applies the {@code form-action} of a form's page to the redirects that follow the form, so another site
   * must be reached without a redirect. Chromium sends Sec-Fetch-Mode; clients that do not, such as command-line
   * clients, get a plain redirect.
   */
  private EdgeReply redirect(RealmRequest request, String address, boolean afterForm) {
    if (!afterForm || request.http().headers().first("Sec-Fetch-Mode").isEmpty()) {
      return EdgeReply.seeOther(address);
    }
    return pages
        .render(request.http(), Optional.of(request.realm()), REDIRECT, Map.of("location", address))
        .with("Refresh", "0;url=" + address);
  }

  private static String query(String redirectUri) {
    return redirectUri + (redirectUri.indexOf('?') < 0 ? '?' : '&');
  }

  /**
   * {@code application/x-www-form-urlencoded}, with spaces as {@code %20}, which every reader of addresses understands.
   */
  private static String encoded(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + encode(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
