package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Messages with everything in them that may be, and texts that writers get wrong. Texts neither begin nor end with white
 * space, which OpenSAML cuts off, and times have milliseconds, which it always writes.
 */
public final class RandomMessages {

  private static final String[] PIECES = {
    "a", "Zz", "0", "&", "<", ">", "\"", "'", "&amp;", "]]>", "<!--", "-->", "<?x?>", "\t", "\n", "\r", "\r\n", " ", "  ",
    "ä", "ß", "e\u0301", "中文", "العربية", "\uD83D\uDE00", "\uD83F\uDFFD", "\u202E", "\u200B", "\uFEFF", "\uFFFD",
    "\u0085", "\u2028", "\u00A0", "\u007F", "%41", "+", "=", "#", "xmlns:saml2=\"urn:x\"", "</saml2:AttributeValue>",
    "alice@example.com", "https://sp.example/?a=b&c=d"
  };

  private final Random random;
  private int ids;

  public RandomMessages(long seed) {
    this.random = new Random(seed);
  }

  public SamlMessage next() {
    return switch (random.nextInt(8)) {
      case 0 -> authnRequest();
      case 1, 2 -> response();
      case 3 -> logoutRequest();
      case 4 ->
          new SamlMessage.LogoutResponse(
              id(), time(), text(), maybe(this::text), maybe(this::id), status());
      case 5 ->
          new SamlMessage.ManageNameIdRequest(
              id(), time(), text(), maybe(this::text), nameId(),
              random.nextBoolean() ? new Change.NewId(text()) : new Change.Terminate());
      case 6 ->
          new SamlMessage.ManageNameIdResponse(
              id(), time(), text(), maybe(this::text), maybe(this::id), status());
      default -> new SamlMessage.ArtifactResolve(id(), time(), text(), maybe(this::text), text());
    };
  }

  SamlMessage.ArtifactResponse artifactResponse() {
    return new SamlMessage.ArtifactResponse(
        id(), time(), text(), maybe(this::text), maybe(this::id), status());
  }

  private SamlMessage.AuthnRequest authnRequest() {
    return new SamlMessage.AuthnRequest(
        id(), "2.0", time(), text(), maybe(this::text),
        new SamlMessage.AuthnRequest.Delivery(maybe(this::text), maybe(() -> random.nextInt(65536)), maybe(this::text)),
        maybe(() -> random.nextInt(65536)),
        maybe(() -> new SamlMessage.NameIdPolicy(maybe(this::text), maybe(this::text), random.nextBoolean())),
        new SamlMessage.AuthnRequest.Authentication(random.nextBoolean(), random.nextBoolean(), maybe(this::requestedAuthnContext),
            some(this::text, 0)),
        maybe(this::nameId));
  }

  private SamlMessage.RequestedAuthnContext requestedAuthnContext() {
    String comparison = List.of("exact", "minimum", "maximum", "better").get(random.nextInt(4));
    List<String> refs = some(this::text, 1);
    return random.nextInt(4) > 0
        ? SamlMessage.RequestedAuthnContext.classes(comparison, refs)
        : new SamlMessage.RequestedAuthnContext(comparison, List.of(), refs);
  }

  SamlMessage.Response response() {
    return new SamlMessage.Response(
        id(), time(), text(), maybe(this::text), maybe(this::id), maybe(this::text), status(),
        some(this::assertion, 0));
  }

  private SamlMessage.LogoutRequest logoutRequest() {
    return new SamlMessage.LogoutRequest(
        id(), time(), text(), maybe(this::text), maybe(this::time), nameId(), some(this::text, 0));
  }

  private Assertion assertion() {
    return new Assertion(
        id(), time(), text(), nameId(), some(this::confirmation, 0), maybe(this::time), maybe(this::time),
        some(() -> some(this::text, 1), 0), maybe(this::authnStatement), some(this::attribute, 0));
  }

  private Assertion.SubjectConfirmation confirmation() {
    return new Assertion.SubjectConfirmation(
        text(), maybe(this::text), maybe(this::id), maybe(this::time), maybe(this::time));
  }

  private Assertion.AuthnStatement authnStatement() {
    return new Assertion.AuthnStatement(time(), maybe(this::text), maybe(this::time), maybe(this::text));
  }

  private SamlAttribute attribute() {
    return new SamlAttribute(
        text(), text(), maybe(this::text), some(() -> random.nextInt(5) == 0 ? "" : text(), 0));
  }

  private NameId nameId() {
    return new NameId(text(), text(), maybe(this::text), maybe(this::text), maybe(this::text));
  }

  private SamlStatus status() {
    return new SamlStatus(text(), maybe(this::text), maybe(this::text));
  }

  private String id() {
    return "_" + Long.toHexString(random.nextLong()) + "-" + ++ids;
  }

  private Instant time() {
    long seconds = 1_500_000_000L + random.nextInt(1_000_000_000);
    return Instant.ofEpochSecond(seconds, (1 + random.nextInt(999)) * 1_000_000L);
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int pieces = random.nextInt(6); pieces >= 0; pieces--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    String trimmed = text.toString().strip().trim();
    return trimmed.isEmpty() ? "x" : trimmed;
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }

  private <T> List<T> some(Supplier<T> value, int least) {
    return IntStream.range(0, least + random.nextInt(3)).mapToObj(i -> value.get()).toList();
  }
}
