package dev.gatehouse.gateway.policy;

import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The attributes of a subject that policies may use.
 *
 * @param attributes by {@linkplain dev.gatehouse.common.saml.AttributeName plain} name
 * @param provider entity ID or issuer
 * @param authnContext of the login: an AuthnContextClassRef or {@code acr}
 */
record SubjectAttributes(
    String user,
    List<String> roles,
    List<String> groups,
    Map<String, List<String>> attributes,
    String provider,
    Optional<String> authnContext) {

  static final SubjectAttributes ANONYMOUS = new SubjectAttributes("", List.of(), List.of(), Map.of(), "", Optional.empty());

  static SubjectAttributes of(Subject subject) {
    return switch (subject) {
      case Subject.Anonymous anonymous -> ANONYMOUS;
      case Subject.Person(AppSession session) -> of(session);
      case Subject.Holder(TokenHolder holder) -> of(holder);
    };
  }

  static SubjectAttributes of(AppSession session) {
    LocalAccount account = session.account();
    AppSession.Login login = session.login();
    return new SubjectAttributes(
        account.user(),
        account.roles(),
        account.groups(),
        account.attributes(),
        login.identityProvider(),
        login.authnContextClassRef());
  }

  static SubjectAttributes of(TokenHolder holder) {
    return new SubjectAttributes(
        holder.account().user(), holder.account().roles(), holder.account().groups(), holder.account().attributes(),
        holder.issuer(), holder.acr());
  }

  /** The same person after a login with that authentication context. */
  SubjectAttributes with(String classRef) {
    return new SubjectAttributes(user, roles, groups, attributes, provider, Optional.of(classRef));
  }

  List<String> attribute(String name) {
    return attributes.getOrDefault(name, List.of());
  }
}
