package dev.gatehouse.sp.inspection;

import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.registry.PartnerRegistry;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.AttributeName;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.ReceivedResponse;
import dev.gatehouse.common.saml.message.SamlReader;
import dev.gatehouse.common.saml.message.SamlReader.PartnerLookup;
import dev.gatehouse.sp.acs.AttributeVerdict;
import dev.gatehouse.sp.acs.InspectedResponse;
import dev.gatehouse.sp.acs.ResponseValidator;
import dev.gatehouse.sp.check.CheckResult;
import dev.gatehouse.sp.check.RequestedLogin;
import dev.gatehouse.sp.edge.IdentityProviders;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.inspection.Inspection.Account;
import dev.gatehouse.sp.inspection.Inspection.Check;
import dev.gatehouse.sp.inspection.Inspection.Value;
import dev.gatehouse.sp.link.AccountRules;
import dev.gatehouse.sp.link.AccountRules.Resolution;
import dev.gatehouse.sp.link.AssertedIdentity;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Applies every rule to an answer, by the same classes as a login, and changes nothing. */
final class ResponseInspector {

  private static final String REDACTED = "***";

  /** @param decrypted as in {@link Recording} */
  record Found(Inspection inspection, Map<String, String> decrypted) {}

  private final SamlReader reader;
  private final PartnerRegistry partners;
  private final KeyRings keyRings;
  private final ResponseValidator validator;
  private final AccountRules accounts;

  ResponseInspector(
      SamlReader reader, PartnerRegistry partners, KeyRings keyRings, ResponseValidator validator, AccountRules accounts) {
    this.reader = reader;
    this.partners = partners;
    this.keyRings = keyRings;
    this.validator = validator;
    this.accounts = accounts;
  }

  /** Inspects an answer as of the time at which it came, with the present configuration, metadata and keys. */
  Found inspect(SpRealm realm, Recording recording) {
    PartnerLookup known = issuer -> IdentityProviders.metadata(partners, realm, issuer);
    RecordingLookup lookup =
        new RecordingLookup(
            known.decryptingWith(() -> keyRings.of(realm.realm()).decryption(KeyUse.SP_ENCRYPTION)), recording.decrypted());
    Result<ReceivedResponse, SamlRefusal> reading = reader.response(posted(realm, recording.response()), lookup);
    RequestedLogin requested = new RequestedLogin(recording.identityProvider(), List.of(), false, recording.startedAt());
    return new Found(inspect(realm, requested, recording.id(), reading, recording.receivedAt()), lookup.decrypted());
  }

  /** Inspects an answer that was read before. */
  Inspection inspect(
      SpRealm realm, RequestedLogin requested, String id, Result<ReceivedResponse, SamlRefusal> reading, Instant at) {
    return switch (reading) {
      case Result.Refused(SamlRefusal refusal) ->
          new Inspection(List.of(failed(Inspection.MESSAGE, refusal)), List.of(), Optional.empty(), List.of());
      case Result.Accepted(ReceivedResponse received) ->
          inspection(realm, received, validator.inspect(realm, requested, id, received, at));
    };
  }

  private Inspection inspection(SpRealm realm, ReceivedResponse received, InspectedResponse inspected) {
    List<Check> checks = new ArrayList<>();
    checks.add(Check.passed(Inspection.MESSAGE, (received.responseSigned() ? "Response" : "Assertion") + " signed"));
    inspected.checks().stream().map(ResponseInspector::check).forEach(checks::add);
    return new Inspection(
        List.copyOf(checks),
        inspected.attributes().stream().map(ResponseInspector::value).toList(),
        inspected.identity().map(identity -> account(realm, identity)),
        List.of());
  }

  private static Check check(CheckResult result) {
    String name = name(result.check());
    return result
        .refusal()
        .map(refusal -> failed(name, refusal))
        .orElseGet(() -> new Check(name, Optional.empty(), Optional.empty()));
  }

  private static Check failed(String name, SamlRefusal refusal) {
    return new Check(name, Optional.of(refusal.reason().name()), Optional.of(refusal.detail()));
  }

  /** {@code AudienceCheck} becomes {@code audience}. */
  private static String name(Class<?> check) {
    return check.getSimpleName().replaceFirst("Check$", "").replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  private static Value value(AttributeVerdict verdict) {
    boolean secret = verdict.name().equals(AttributeName.LOGIN_PASSWORD);
    return new Value(
        verdict.name(), secret ? REDACTED : verdict.value(), verdict.dropped().map(reason -> reason.name().toLowerCase(Locale.ROOT)));
  }

  private Account account(SpRealm realm, AssertedIdentity identity) {
    try {
      return switch (accounts.resolve(realm, identity)) {
        case Resolution.Known known -> new Account("known", Optional.of(known.account().user()), Optional.empty());
        case Resolution.Matched matched -> new Account("linked-at-login", Optional.of(matched.account().user()), Optional.empty());
        case Resolution.LoginNeeded needed -> new Account("login-needed", Optional.empty(), Optional.empty());
        case Resolution.Refused refused ->
            new Account("refused", Optional.empty(), Optional.of(refused.refusal().reason() + ": " + refused.refusal().detail()));
      };
    } catch (DirectoryUnavailable e) {
      return new Account("refused", Optional.empty(), Optional.of("The directory does not answer."));
    }
  }

  private static EdgeRequest posted(SpRealm realm, String response) {
    Headers headers = Headers.of(List.of(new Headers.Field("Content-Type", "application/x-www-form-urlencoded")));
    String form = "SAMLResponse=" + URLEncoder.encode(response, StandardCharsets.UTF_8);
    return new EdgeRequest(
        "POST",
        realm.home(),
        "/.gatehouse/saml/acs",
        "",
        headers,
        form.getBytes(StandardCharsets.UTF_8),
        InetAddress.getLoopbackAddress());
  }
}
