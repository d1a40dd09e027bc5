package dev.gatehouse.sp.acs;

import dev.gatehouse.common.codec.PackedAttributes;
import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.sp.check.AuthenticationResult;
import dev.gatehouse.sp.link.AssertedIdentity;
import dev.gatehouse.sp.session.AppSessionCodec;
import java.time.Instant;
import java.util.Optional;

/**
 * The statements of an identity provider about a person, after all rules of the profile were checked. Only
 * {@link ResponseValidator} creates it (and the store reads it back while the login waits for its browser).
 */
public final class VerifiedAssertion {

  private final String id;
  private final AssertedIdentity asserted;
  private final AuthenticationResult authenticationResult;
  private final Optional<String> sessionIndex;
  private final Optional<Instant> sessionNotOnOrAfter;
  private final Instant issueInstant;
  private final Instant acceptableUntil;
  private final Optional<byte[]> sealedPassword;

  VerifiedAssertion(
      String id,
      AssertedIdentity asserted,
      AuthenticationResult authenticationResult,
      Optional<String> sessionIndex,
      Optional<Instant> sessionNotOnOrAfter,
      Instant issueInstant,
      Instant acceptableUntil,
      Optional<byte[]> sealedPassword) {
    this.id = id;
    this.asserted = asserted;
    this.authenticationResult = authenticationResult;
    this.sessionIndex = sessionIndex;
    this.sessionNotOnOrAfter = sessionNotOnOrAfter;
    this.issueInstant = issueInstant;
    this.acceptableUntil = acceptableUntil;
    this.sealedPassword = sealedPassword;
  }

  /** The Issuer. Its keys verified the assertion. */
  public String identityProvider() {
    return asserted.identityProvider();
  }

  public String id() {
    return id;
  }

  /** The identity that the assertion states, with the attributes that count. */
  AssertedIdentity asserted() {
    return asserted;
  }

  /** The facts about the authentication. */
  AuthenticationResult authenticationResult() {
    return authenticationResult;
  }

  Optional<String> sessionIndex() {
    return sessionIndex;
  }

  Optional<Instant> sessionNotOnOrAfter() {
    return sessionNotOnOrAfter;
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

  static void write(PackedWriter out, VerifiedAssertion assertion) {
    out.text(assertion.identityProvider());
    out.text(assertion.id);
    AppSessionCodec.writeNameId(out, assertion.asserted.nameId());
    PackedAttributes.write(out, assertion.asserted.attributes());
    out.optional(assertion.sessionIndex, PackedWriter::text);
    out.optional(assertion.sessionNotOnOrAfter, PackedWriter::instant);
    out.optional(assertion.authenticationResult.authnContextClassRef(), PackedWriter::text);
    out.optional(assertion.authenticationResult.authnInstant(), PackedWriter::instant);
    out.instant(assertion.issueInstant);
    out.instant(assertion.acceptableUntil);
    out.optional(assertion.sealedPassword, PackedWriter::bytes);
  }

  static VerifiedAssertion read(PackedReader in) {
    String identityProvider = in.text();
    String id = in.text();
    AssertedIdentity asserted =
        new AssertedIdentity(identityProvider, AppSessionCodec.readNameId(in), PackedAttributes.read(in));
    Optional<String> sessionIndex = in.optional(PackedReader::text);
    Optional<Instant> sessionNotOnOrAfter = in.optional(PackedReader::instant);
    AuthenticationResult authentication =
        new AuthenticationResult(
            identityProvider, in.optional(PackedReader::text), in.optional(PackedReader::instant));
    return new VerifiedAssertion(
        id,
        asserted,
        authentication,
        sessionIndex,
        sessionNotOnOrAfter,
        in.instant(),
        in.instant(),
        in.optional(PackedReader::bytes));
  }

  /** Identifies the assertion without personal data. */
  @Override
  public String toString() {
    return "assertion " + id + " of " + identityProvider();
  }
}
