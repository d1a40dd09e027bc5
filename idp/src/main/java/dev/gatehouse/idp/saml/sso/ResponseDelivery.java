package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.backchannel.ArtifactMap.Holding;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.KeyRings;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.message.Artifact;
import dev.gatehouse.common.saml.message.SamlMessage.Response;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.message.SamlWriter.Signed;
import dev.gatehouse.common.saml.message.WrittenMessage;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.artifact.ArtifactStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Delivers a Response to its consumer service (SAML Profiles 4.1.4.3), by POST or as an artifact.
 *
 * <p>One signature protects everything that the profile requires: by POST that of the Assertion, or that of the
 * Response if it has none; as an artifact that of the ArtifactResponse, created when it is fetched. In an artifact
 * message the Assertion is also signed if the partner's metadata wants signed Assertions, because the partner may store
 * it.
 */
final class ResponseDelivery {

  private static final Page REDIRECT = Page.of(200, "redirect", Map.of());

  /** Longer addresses break in some servers and proxies; for them we use a form (SAML Bindings 3.6.3). */
  private static final int LONGEST_ADDRESS = 2_000;

  private final KeyRings keys;
  private final SamlWriter writer;
  private final ArtifactStore artifacts;
  private final Pages pages;
  private final Refusals refusals;

  ResponseDelivery(KeyRings keys, SamlWriter writer, ArtifactStore artifacts, Pages pages, Refusals refusals) {
    this.keys = keys;
    this.writer = writer;
    this.artifacts = artifacts;
    this.pages = pages;
    this.refusals = refusals;
  }

  /**
   * @param afterForm whether this reply ends a series of redirects that began with one of our forms: Chromium applies
   *     that page's {@code form-action} to them, so another site must be reached without a redirect
   */
  EdgeReply deliver(
      RealmRequest request, SignOn signOn, SsoPartner partner, Response response, boolean afterForm) {
    SigningKey key = keys.of(request.realm()).current(KeyUse.IDP_SIGNING);
    SamlWriter own =
        switch (partner.encryption(signOn)) {
          case Encryption.Choice.None none -> writer;
          case Encryption.Choice.With(var encryption) -> writer.encrypting(encryption);
          // A Response with only a status contains no personal data.
          case Encryption.Choice.NoKey noKey when response.assertions().isEmpty() -> writer;
          case Encryption.Choice.NoKey noKey ->
              throw new IllegalStateException("an assertion for " + signOn.partner() + " that cannot be encrypted");
        };
    return switch (signOn.delivery().consumer().binding()) {
      case ARTIFACT ->
          switch (hold(request, signOn, response, held(partner, response, own, key))) {
            case Holding.Held(Artifact artifact) -> artifact(request, signOn, artifact, afterForm);
            case Holding.Full(Duration retryAfter) -> tooMany(request, retryAfter);
          };
      // No other binding is ever chosen.
      case POST, REDIRECT, SOAP -> submit(
          request,
          own.postResponse(response, signOn.delivery().consumer().location(), signOn.delivery().relayState(), key, Signed.ASSERTION));
    };
  }

  private static WrittenMessage held(SsoPartner partner, Response response, SamlWriter writer, SigningKey key) {
    return partner.sp().role().wantAssertionsSigned() && !response.assertions().isEmpty()
        ? writer.write(response, key, Signed.ASSERTION)
        : writer.write(response);
  }

  /** A Response with only a status is made for anybody who asks, without a login: it is stored within limits. */
  private Holding hold(RealmRequest request, SignOn signOn, Response response, WrittenMessage message) {
    return response.assertions().isEmpty()
        ? artifacts.holdForStranger(request, signOn.partner(), message)
        : new Holding.Held(artifacts.hold(request, signOn.partner(), message));
  }

  private EdgeReply tooMany(RealmRequest request, Duration retryAfter) {
    return refusals
        .page(request, 503, "too-many-waiting", "TOO_MANY_PENDING")
        .with("Retry-After", Long.toString(Math.max(1, retryAfter.toSeconds())));
  }

  private EdgeReply artifact(RealmRequest request, SignOn signOn, Artifact artifact, boolean afterForm) {
    String location = signOn.delivery().consumer().location();
    String address = address(location, artifact, signOn.delivery().relayState());
    if (signOn.delivery().artifactByForm() || address.length() > LONGEST_ADDRESS) {
      return submit(request, new PostForm(location, "SAMLart", artifact.value(), signOn.delivery().relayState()));
    }
    if (!afterForm) {
      return EdgeReply.seeOther(address);
    }
    return pages
        .render(request.http(), Optional.of(request.realm()), REDIRECT, Map.of("location", address))
        .with("Refresh", "0;url=" + address);
  }

  private static String address(String location, Artifact artifact, Optional<String> relayState) {
    return location
        + (location.indexOf('?') < 0 ? '?' : '&')
        + "SAMLart="
        + encode(artifact.value())
        + relayState.map(state -> "&RelayState=" + encode(state)).orElse("");
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private EdgeReply submit(RealmRequest request, PostForm form) {
    return pages.autoSubmit(request.http(), Optional.of(request.realm()), form);
  }
}
