package dev.gatehouse.sp.acs;

import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.sp.check.AuthenticationResult;
import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;
import dev.gatehouse.sp.link.AssertedIdentity;
import dev.gatehouse.sp.session.AppSessionCodec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of an identity provider about a person, after all rules of the profile were checked. Only
 * {@link ResponseValidator} creates it (and the store reads it back while the login waits for its browser).
 */
public final class VerifiedAssertion {

  private final String identityProvider;
  private final String id;
  private final NameId nameId;
  private final Map<String, List<String>> attributes;
  private final Optional<String> sessionIndex;
  private final Optional<Instant> sessionNotOnOrAfter;
  private final Optional<String> authnContextClassRef;
  private final Optional<Instant> authnInstant;
  private final Instant issueInstant;
  private final Instant acceptableUntil;
  private final Optional<byte[]> sealedPassword;

  VerifiedAssertion(
      String identityProvider,
      String id,
      NameId nameId,
      Map<String, List<String>> attributes,
      Optional<String> sessionIndex,
      Optional<Instant> sessionNotOnOrAfter,
      Optional<String> authnContextClassRef,
      Optional<Instant> authnInstant,
      Instant issueInstant,
      Instant acceptableUntil,
      Optional<byte[]> sealedPassword) {
    this.identityProvider = identityProvider;
    this.id = id;
    this.nameId = nameId;
    this.attributes = attributes;
    this.sessionIndex = sessionIndex;
    this.sessionNotOnOrAfter = sessionNotOnOrAfter;
    this.authnContextClassRef = authnContextClassRef;
    this.authnInstant = authnInstant;
    this.issueInstant = issueInstant;
    this.acceptableUntil = acceptableUntil;
    this.sealedPassword = sealedPassword;
  }

  /** The Issuer. Its keys verified the assertion. */
  public String identityProvider() {
    return identityProvider;
  }

  public String id() {
    return id;
  }

  public NameId nameId() {
    return nameId;
  }

  /** The values that count, by {@linkplain dev.gatehouse.common.saml.AttributeName plain} attribute name. */
  public Map<String, List<String>> attributes() {
    return attributes;
  }

  /** The identity that the assertion states. */
  AssertedIdentity asserted() {
    return new AssertedIdentity(identityProvider, nameId, attributes);
  }

  /** The facts about the authentication. */
  AuthenticationResult authenticationResult() {
    return new AuthenticationResult(identityProvider, authnContextClassRef, authnInstant);
  }

  public Optional<String> sessionIndex() {
    return sessionIndex;
  }

  public Optional<Instant> sessionNotOnOrAfter() {
    return sessionNotOnOrAfter;
  }

  public Optional<String> authnContextClassRef() {
    return authnContextClassRef;
  }

  /** The time of the authentication according to the identity provider. */
  Optional<Instant> authnInstant() {
    return authnInstant;
  }

  Instant issueInstant() {
    return issueInstant;
  }

  /** The time from which a Response with this assertion would be refused as expired, clock skew included. */
  Instant acceptableUntil() {
    return acceptableUntil;
  }

  /** The login password, sealed; {@link AssertedPassword} can open it. */
  Optional<byte[]> sealedPassword() {
    return sealedPassword;
  }

  static void write(FieldWriter out, VerifiedAssertion assertion) {
    out.text(assertion.identityProvider);
    out.text(assertion.id);
    AppSessionCodec.writeNameId(out, assertion.nameId);
    out.textLists(assertion.attributes);
    out.optional(assertion.sessionIndex, FieldWriter::text);
    out.optional(assertion.sessionNotOnOrAfter, FieldWriter::instant);
    out.optional(assertion.authnContextClassRef, FieldWriter::text);
    out.optional(assertion.authnInstant, FieldWriter::instant);
    out.instant(assertion.issueInstant);
    out.instant(assertion.acceptableUntil);
    out.optional(assertion.sealedPassword, FieldWriter::bytes);
  }

  static VerifiedAssertion read(FieldReader in) {
    return new VerifiedAssertion(
        in.text(),
        in.text(),
        AppSessionCodec.readNameId(in),
        in.textLists(),
        in.optional(FieldReader::text),
        in.optional(FieldReader::instant),
        in.optional(FieldReader::text),
        in.optional(FieldReader::instant),
        in.instant(),
        in.instant(),
        in.optional(FieldReader::bytes));
  }

  /** Identifies the assertion without personal data. */
  @Override
  public String toString() {
    return "assertion " + id + " of " + identityProvider;
  }
}
