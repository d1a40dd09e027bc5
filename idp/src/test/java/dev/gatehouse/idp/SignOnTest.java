package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.Assertion;
import dev.gatehouse.common.saml.ReceivedResponse;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlMessage.AuthnRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Web Browser SSO from end to end, in process, decoded as a service provider does. */
final class SignOnTest {

  private final Idp idp = new Idp();
  private final TestBrowser browser = idp.browser();

  @Test
  void aRequestByRedirectLeadsOverTheLoginFormToASignedResponse() {
    AuthnRequest request = idp.authnRequest(Idp.APP);
    EdgeReply form = browser.follow(browser.get(Idp.redirect(request, Optional.of("état <1>"))));
    assertThat(form.status()).isEqualTo(200);
    assertThat(form.text()).contains("The app");
    EdgeReply page = browser.follow(browser.login(form, "alice", "demo"));

    ReceivedResponse received = Idp.response(page);
    assertThat(received.relayState()).contains("état <1>");
    assertThat(received.response().destination()).contains(Idp.APP_ACS);
    assertThat(received.response().inResponseTo()).contains(request.id());
    Assertion assertion = received.assertions().getFirst();
    assertThat(assertion.issuer()).isEqualTo(Idp.ENTITY);
    assertThat(assertion.audienceRestrictions()).containsExactly(List.of(Idp.APP));
    Assertion.SubjectConfirmation confirmation = assertion.confirmations().getFirst();
    assertThat(confirmation.recipient()).contains(Idp.APP_ACS);
    assertThat(confirmation.inResponseTo()).contains(request.id());
    assertThat(confirmation.notBefore()).isEmpty();
    assertThat(confirmation.notOnOrAfter()).contains(idp.time.instant().plusSeconds(300));
    assertThat(assertion.attributes())
        .extracting(SamlAttribute::name, SamlAttribute::values)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("uid", List.of("alice")),
            org.assertj.core.groups.Tuple.tuple("displayName", List.of("Alice <Ängström> & Söhne")),
            org.assertj.core.groups.Tuple.tuple("roles", List.of("employee")),
            org.assertj.core.groups.Tuple.tuple("groups", List.of("employee")));
  }
}
