package dev.gatehouse.sp.acs;

import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.sp.check.AuthenticationResult;
import dev.gatehouse.sp.check.ReplayCheck;
import dev.gatehouse.sp.check.ResponseExpectation;
import dev.gatehouse.sp.check.ResponseRules;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.link.AssertedIdentity;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The only class that creates {@link VerifiedAssertion}s. It drops the attributes that do not count, applies
 * {@link ResponseRules} and extracts what the session needs.
 */
public final class ResponseValidator {

  private final PartnerRegistry partners;
  private final ReplayCheck replays;
  private final DroppedValues dropped;
  private final AssertedPassword password;
  private final InstantSource time;

  public ResponseValidator(
      PartnerRegistry partners,
      ReplayCheck replays,
      DroppedValues dropped,
      AssertedPassword password,
      InstantSource time) {
    this.partners = partners;
    this.replays = replays;
    this.dropped = dropped;
    this.password = password;
    this.time = time;
  }

  /** @param requestId the ID of our request that the Response names, if that request is still open */
  Result<VerifiedAssertion, SamlRefusal> validate(SpRealm realm, ReceivedResponse received, Optional<String> requestId) {
    String issuer = received.response().issuer();
    ResponseExpectation expected =
        new ResponseExpectation(
            realm.sp(),
            issuer,
            !(IdentityProviders.rules(partners, realm, issuer).link() instanceof Link.None),
            requestId,
            time.instant(),
            replays.completeSince());
    return switch (ResponseRules.apply(withAcceptedAttributes(realm, received), expected)) {
      case Result.Refused(SamlRefusal refusal) -> new Result.Refused<>(refusal);
      case Result.Accepted(Assertion assertion) -> new Result.Accepted<>(verified(assertion));
    };
  }

  private ReceivedResponse withAcceptedAttributes(SpRealm realm, ReceivedResponse received) {
    Response response = received.response();
    AcceptedAttributes rules =
        new AcceptedAttributes(
            response.issuer(),
            ProviderTrust.ofPartner(partners, realm, response.issuer()),
            Set.of(
                AttributeName.plain(realm.sp().subject().roles()), AttributeName.plain(realm.sp().subject().groups())),
            IdentityProviders.scopes(partners, realm, response.issuer()),
            dropped);
    return new ReceivedResponse(
        new Response(
            response.id(),
            response.issueInstant(),
            response.issuer(),
            response.destination(),
            response.inResponseTo(),
            response.status(),
            response.assertions().stream().map(rules::in).toList()),
        received.responseSigned(),
        received.binding(),
        received.relayState());
  }

  private VerifiedAssertion verified(Assertion assertion) {
    Optional<AuthnStatement> statement = assertion.authnStatement();
    return new VerifiedAssertion(
        assertion.id(),
        new AssertedIdentity(assertion.issuer(), assertion.subject(), attributes(assertion)),
        new AuthenticationResult(
            assertion.issuer(),
            statement.flatMap(AuthnStatement::authnContextClassRef),
            statement.map(AuthnStatement::authnInstant)),
        statement.flatMap(AuthnStatement::sessionIndex),
        statement.flatMap(AuthnStatement::sessionNotOnOrAfter),
        assertion.issueInstant(),
        acceptableUntil(assertion),
        password.sealed(assertion));
  }

  private static Map<String, List<String>> attributes(Assertion assertion) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (SamlAttribute attribute : assertion.attributes()) {
      if (!attribute.values().isEmpty() && !attribute.name().equals(AttributeName.LOGIN_PASSWORD)) {
        values.put(attribute.name(), List.copyOf(attribute.values()));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  /**
   * The latest of the assertion's ends. A later value only keeps the replay mark longer; an earlier value would leave a
   * gap.
   */
  private static Instant acceptableUntil(Assertion assertion) {
    return Stream.concat(
            assertion.notOnOrAfter().stream(),
            assertion.confirmations().stream().map(SubjectConfirmation::notOnOrAfter).flatMap(Optional::stream))
        .max(Instant::compareTo)
        .orElse(assertion.issueInstant())
        .plus(ResponseExpectation.CLOCK_SKEW);
  }
}
