package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Limits the part of an AuthnRequest that is stored. Anyone can send a request, it waits for an hour, and its ID is
 * remembered for longer; xs:ID, NameID and RequestedAuthnContext (SAML Core 1.3.4, 2.2.3, 3.3.2.2.1) have no limits of
 * their own.
 */
final class RequestSizeCheck {

  /** The limit in characters. Legitimate requests need a few hundred, most of them for RelayState. */
  static final int MAX = 4 * 1024;

  private RequestSizeCheck() {}

  static Optional<SamlRefusal> check(Received<AuthnRequest> received) {
    AuthnRequest message = received.message();
    long kept =
        Stream.of(
                    Stream.of(message.id()),
                    received.relayState().stream(),
                    message.subject().stream().flatMap(RequestSizeCheck::texts),
                    message.authentication().requestedAuthnContext().stream().flatMap(RequestSizeCheck::texts))
                .flatMap(texts -> texts)
                .mapToLong(text -> text.length() + 4L)
                .sum();
    return kept <= MAX
        ? Optional.empty()
        : Optional.of(new SamlRefusal(SamlRefusal.Reason.MESSAGE_TOO_LARGE, "too much to be kept until it is answered"));
  }

  private static Stream<String> texts(NameId subject) {
    return Stream.concat(
        Stream.of(subject.value(), subject.format()),
        Stream.of(subject.nameQualifier(), subject.spNameQualifier(), subject.spProvidedId()).flatMap(Optional::stream));
  }

  private static Stream<String> texts(RequestedAuthnContext wanted) {
    return Stream.of(Stream.of(wanted.comparison()), wanted.classRefs().stream(), wanted.declRefs().stream())
        .flatMap(texts -> texts);
  }
}
