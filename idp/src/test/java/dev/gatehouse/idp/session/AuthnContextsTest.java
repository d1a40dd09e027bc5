package dev.gatehouse.idp.session;

import static dev.gatehouse.idp.session.AuthnContexts.PASSWORD;
import static dev.gatehouse.idp.session.AuthnContexts.PASSWORD_PROTECTED_TRANSPORT;
import static dev.gatehouse.idp.session.AuthnContexts.REFEDS_MFA;
import static dev.gatehouse.idp.session.AuthnContexts.TIME_SYNC_TOKEN;
import static dev.gatehouse.idp.session.AuthnContexts.TLS_CLIENT;
import static dev.gatehouse.idp.session.AuthnContexts.UNSPECIFIED;
import static dev.gatehouse.idp.session.AuthnContexts.X509;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** SAML Core 3.3.2.2.1. */
class AuthnContextsTest {

  private static final String KERBEROS = "urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos";
  private static final Set<AuthnLevel> PASSWORD_LOGIN = Set.of(AuthnLevel.PROTECTED_PASSWORD);
  private static final Set<AuthnLevel> CERTIFICATE_LOGIN = Set.of(AuthnLevel.CERTIFICATE);
  private static final Set<AuthnLevel> TWO_STEPS = Set.of(AuthnLevel.PROTECTED_PASSWORD, AuthnLevel.SECOND_FACTOR);

  @Test
  void exactIsOneOfThoseAskedForAndNothingStronger() {
    assertThat(answer(PASSWORD_LOGIN, "exact", PASSWORD_PROTECTED_TRANSPORT)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(PASSWORD_LOGIN, "exact", PASSWORD)).isEqualTo("never");
    assertThat(answer(CERTIFICATE_LOGIN, "exact", PASSWORD_PROTECTED_TRANSPORT)).isEqualTo("never");
    assertThat(answer(PASSWORD_LOGIN, "exact", TIME_SYNC_TOKEN, PASSWORD_PROTECTED_TRANSPORT))
        .isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(PASSWORD_LOGIN, "exact", UNSPECIFIED)).isEqualTo(UNSPECIFIED);
    assertThat(answer(PASSWORD_LOGIN, "exact", KERBEROS)).isEqualTo("never");
  }

  @Test
  void whoPassedTwoStepsPassedTheFirstOneToo() {
    assertThat(answer(TWO_STEPS, "exact", PASSWORD_PROTECTED_TRANSPORT)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(TWO_STEPS, "exact", REFEDS_MFA)).isEqualTo(REFEDS_MFA);
    assertThat(answer(TWO_STEPS, "exact", TIME_SYNC_TOKEN, REFEDS_MFA)).isEqualTo(TIME_SYNC_TOKEN);
    assertThat(answer(TWO_STEPS, "exact", REFEDS_MFA, TIME_SYNC_TOKEN)).isEqualTo(REFEDS_MFA);
  }

  @Test
  void minimumIsAtLeastAsStrongAsOneOfThem() {
    assertThat(answer(PASSWORD_LOGIN, "minimum", PASSWORD)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(TWO_STEPS, "minimum", PASSWORD)).isEqualTo(TIME_SYNC_TOKEN);
    assertThat(answer(TWO_STEPS, "minimum", REFEDS_MFA)).isEqualTo(REFEDS_MFA);
    assertThat(answer(PASSWORD_LOGIN, "minimum", X509)).isEqualTo("never");
    assertThat(answer(PASSWORD_LOGIN, "minimum", X509, PASSWORD)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(CERTIFICATE_LOGIN, "minimum", X509)).isEqualTo(X509);
    assertThat(answer(CERTIFICATE_LOGIN, "minimum", PASSWORD)).isEqualTo(TLS_CLIENT);
    assertThat(answer(CERTIFICATE_LOGIN, "minimum", TIME_SYNC_TOKEN)).isEqualTo("never");
    assertThat(answer(PASSWORD_LOGIN, "minimum", UNSPECIFIED)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(TWO_STEPS, "minimum", KERBEROS)).isEqualTo("never");
  }

  @Test
  void maximumIsTheStrongestThatExceedsNotAllOfThem() {
    assertThat(answer(TWO_STEPS, "maximum", PASSWORD_PROTECTED_TRANSPORT)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(TWO_STEPS, "maximum", PASSWORD, REFEDS_MFA)).isEqualTo(REFEDS_MFA);
    assertThat(answer(PASSWORD_LOGIN, "maximum", PASSWORD)).isEqualTo("never");
    assertThat(answer(CERTIFICATE_LOGIN, "maximum", PASSWORD_PROTECTED_TRANSPORT)).isEqualTo("never");
    assertThat(answer(PASSWORD_LOGIN, "maximum", X509)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
  }

  @Test
  void betterIsStrongerThanEachOfThem() {
    assertThat(answer(TWO_STEPS, "better", PASSWORD_PROTECTED_TRANSPORT)).isEqualTo(TIME_SYNC_TOKEN);
    assertThat(answer(PASSWORD_LOGIN, "better", PASSWORD)).isEqualTo(PASSWORD_PROTECTED_TRANSPORT);
    assertThat(answer(PASSWORD_LOGIN, "better", PASSWORD, PASSWORD_PROTECTED_TRANSPORT)).isEqualTo("never");
    assertThat(answer(TWO_STEPS, "better", REFEDS_MFA)).isEqualTo("never");
    assertThat(answer(Set.of(AuthnLevel.PASSKEY), "better", REFEDS_MFA))
        .as("not the class that it must exceed")
        .isEqualTo(AuthnContexts.PHISHING_RESISTANT);
    assertThat(answer(TWO_STEPS, "better", PASSWORD, KERBEROS)).isEqualTo("never");
  }

  @Test
  void aDeclarationIsNeverSatisfied() {
    for (String comparison : List.of("exact", "minimum", "maximum", "better")) {
      assertThat(answer(TWO_STEPS, comparison)).isEqualTo("never");
    }
  }

  @Test
  void aSecondStepAloneEarnsNothing() {
    AuthnEvent code = new AuthnEvent(Instant.EPOCH, LoginContract.TOTP, AuthnLevel.SECOND_FACTOR);
    AuthnEvent password = new AuthnEvent(Instant.EPOCH, LoginContract.PASSWORD, AuthnLevel.PASSWORD);
    assertThat(AuthnContexts.earned(List.of(code))).isEmpty();
    assertThat(AuthnContexts.earned(List.of(password, code)))
        .containsExactlyInAnyOrder(AuthnLevel.PASSWORD, AuthnLevel.SECOND_FACTOR);
  }

  @Test
  void aPasswordInClearTextEarnsLess() {
    assertThat(AuthnContexts.level(LoginContract.PASSWORD, new Origin("http", "id.example.org", 80)))
        .isEqualTo(AuthnLevel.PASSWORD);
    assertThat(AuthnContexts.level(LoginContract.PASSWORD, new Origin("http", "id.localhost", 8080)))
        .isEqualTo(AuthnLevel.PROTECTED_PASSWORD);
    assertThat(AuthnContexts.level(LoginContract.BASIC, new Origin("https", "id.example.org", 443)))
        .isEqualTo(AuthnLevel.PROTECTED_PASSWORD);
  }

  private static String answer(Set<AuthnLevel> earned, String comparison, String... classRefs) {
    return AuthnContexts.answer(earned, RequestedAuthnContext.classes(comparison, List.of(classRefs))).orElse("never");
  }
}
