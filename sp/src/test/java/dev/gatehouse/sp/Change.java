package dev.gatehouse.sp;

import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.Assertion.SubjectConfirmation;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Copies of an Assertion with one thing changed, as an attacker or a careless partner would. */
public record Change(Assertion assertion) {

  public static Change of(Assertion assertion) {
    return new Change(assertion);
  }

  public Change id(String id) {
    return copy(id, assertion.issueInstant(), assertion.issuer(), assertion.subject(), assertion.confirmations(),
        assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(), assertion.authnStatement(),
        assertion.attributes());
  }

  public Change issueInstant(Instant at) {
    return copy(assertion.id(), at, assertion.issuer(), assertion.subject(), assertion.confirmations(),
        assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(), assertion.authnStatement(),
        assertion.attributes());
  }

  public Change issuer(String issuer) {
    return copy(assertion.id(), assertion.issueInstant(), issuer, assertion.subject(), assertion.confirmations(),
        assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(), assertion.authnStatement(),
        assertion.attributes());
  }

  public Change subject(NameId subject) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), subject, assertion.confirmations(),
        assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(), assertion.authnStatement(),
        assertion.attributes());
  }

  public Change confirmations(List<SubjectConfirmation> confirmations) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(), confirmations,
        assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(), assertion.authnStatement(),
        assertion.attributes());
  }

  public Change confirmation(UnaryOperator<SubjectConfirmation> change) {
    return confirmations(assertion.confirmations().stream().map(change).toList());
  }

  public Change recipient(Optional<String> recipient) {
    return confirmation(c ->
        new SubjectConfirmation(c.method(), recipient, c.inResponseTo(), c.notBefore(), c.notOnOrAfter()));
  }

  public Change confirmedInResponseTo(Optional<String> id) {
    return confirmation(c -> new SubjectConfirmation(c.method(), c.recipient(), id, c.notBefore(), c.notOnOrAfter()));
  }

  public Change confirmedUntil(Optional<Instant> end) {
    return confirmation(c -> new SubjectConfirmation(c.method(), c.recipient(), c.inResponseTo(), c.notBefore(), end));
  }

  public Change confirmedFrom(Optional<Instant> start) {
    return confirmation(c ->
        new SubjectConfirmation(c.method(), c.recipient(), c.inResponseTo(), start, c.notOnOrAfter()));
  }

  public Change method(String method) {
    return confirmation(c ->
        new SubjectConfirmation(method, c.recipient(), c.inResponseTo(), c.notBefore(), c.notOnOrAfter()));
  }

  public Change notBefore(Instant at) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(),
        assertion.confirmations(), Optional.of(at), assertion.notOnOrAfter(), assertion.audienceRestrictions(),
        assertion.authnStatement(), assertion.attributes());
  }

  public Change notOnOrAfter(Instant at) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(),
        assertion.confirmations(), assertion.notBefore(), Optional.of(at), assertion.audienceRestrictions(),
        assertion.authnStatement(), assertion.attributes());
  }

  public Change audiences(List<List<String>> restrictions) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(),
        assertion.confirmations(), assertion.notBefore(), assertion.notOnOrAfter(), restrictions,
        assertion.authnStatement(), assertion.attributes());
  }

  public Change authnStatement(Optional<AuthnStatement> statement) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(),
        assertion.confirmations(), assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(),
        statement, assertion.attributes());
  }

  public Change sessionNotOnOrAfter(Instant end) {
    return authnStatement(
        assertion
            .authnStatement()
            .map(
                s ->
                    new AuthnStatement(
                        s.authnInstant(), s.sessionIndex(), Optional.of(end), s.authnContextClassRef())));
  }

  public Change attributes(List<SamlAttribute> attributes) {
    return copy(assertion.id(), assertion.issueInstant(), assertion.issuer(), assertion.subject(),
        assertion.confirmations(), assertion.notBefore(), assertion.notOnOrAfter(), assertion.audienceRestrictions(),
        assertion.authnStatement(), attributes);
  }

  /** A Response like that one with these assertions. */
  public static Response with(Response response, Assertion... assertions) {
    return new Response(response.id(), response.issueInstant(), response.issuer(), response.destination(),
        response.inResponseTo(), response.status(), List.of(assertions));
  }

  public static Response issuer(Response response, String issuer) {
    return new Response(response.id(), response.issueInstant(), issuer, response.destination(),
        response.inResponseTo(), response.status(), response.assertions());
  }

  public static Response destination(Response response, Optional<String> destination) {
    return new Response(response.id(), response.issueInstant(), response.issuer(), destination,
        response.inResponseTo(), response.status(), response.assertions());
  }

  public static Response inResponseTo(Response response, Optional<String> id) {
    return new Response(response.id(), response.issueInstant(), response.issuer(), response.destination(), id,
        response.status(), response.assertions());
  }

  public static Response status(Response response, SamlStatus status) {
    return new Response(response.id(), response.issueInstant(), response.issuer(), response.destination(),
        response.inResponseTo(), status, response.assertions());
  }

  private static Change copy(
      String id,
      Instant issueInstant,
      String issuer,
      NameId subject,
      List<SubjectConfirmation> confirmations,
      Optional<Instant> notBefore,
      Optional<Instant> notOnOrAfter,
      List<List<String>> audiences,
      Optional<AuthnStatement> statement,
      List<SamlAttribute> attributes) {
    return new Change(
        new Assertion(
            id, issueInstant, issuer, subject, confirmations, notBefore, notOnOrAfter, audiences, statement,
            attributes));
  }
}
