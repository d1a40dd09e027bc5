package dev.gatehouse.idp.saml.sso;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import dev.gatehouse.common.store.PackedCodec;
import java.util.Optional;

/** Encodes a {@link SignOn} for its browser to carry. */
final class SignOnCodec extends PackedCodec<SignOn> {

  private static final int VERSION = 1;

  private static final int ARTIFACT_BY_FORM = 1;
  private static final int FORCE_AUTHN = 2;
  private static final int IS_PASSIVE = 4;
  private static final int MAY_CREATE = 8;
  private static final int ENCRYPTED = 16;

  SignOnCodec() {
    super(VERSION);
  }

  @Override
  protected void write(PackedWriter out, SignOn signOn) {
    out.number(
        (signOn.delivery().artifactByForm() ? ARTIFACT_BY_FORM : 0)
            | (signOn.authentication().forceAuthn() ? FORCE_AUTHN : 0)
            | (signOn.authentication().isPassive() ? IS_PASSIVE : 0)
            | (signOn.nameId().mayCreate() ? MAY_CREATE : 0)
            | (signOn.nameId().encrypted() ? ENCRYPTED : 0));
    out.text(signOn.realm());
    out.text(signOn.partner());
    out.text(signOn.delivery().consumer().binding().name());
    // Nearly always an address below the entity ID, or at the same site.
    int common = common(signOn.partner(), signOn.delivery().consumer().location());
    out.number(common);
    out.text(signOn.delivery().consumer().location().substring(common));
    out.optional(signOn.delivery().requestId(), PackedWriter::text);
    out.instant(signOn.receivedAt());
    out.optional(signOn.delivery().relayState(), PackedWriter::text);
    out.text(signOn.nameId().format().name());
    out.optional(signOn.attributeService(), (o, index) -> o.number(index));
    out.optional(signOn.authentication().requestedAuthnContext(), SignOnCodec::writeContext);
    out.optional(signOn.authentication().subject(), SignOnCodec::writeSubject);
  }

  @Override
  protected SignOn read(PackedReader in) {
    long flags = in.number();
    String realm = in.text();
    String partner = in.text();
    Binding binding = Binding.valueOf(in.text());
    long common = in.number();
    if (common < 0 || common > partner.length()) {
      throw new IllegalArgumentException("no such location");
    }
    ConsumerService consumer = new ConsumerService(binding, partner.substring(0, (int) common) + in.text());
    var requestId = in.optional(PackedReader::text);
    var receivedAt = in.instant();
    var relayState = in.optional(PackedReader::text);
    NameIdFormat format = NameIdFormat.valueOf(in.text());
    SignOn.Delivery delivery =
        new SignOn.Delivery(consumer, (flags & ARTIFACT_BY_FORM) != 0, requestId, relayState);
    RequestedNameId nameId =
        new RequestedNameId(format, (flags & MAY_CREATE) != 0, (flags & ENCRYPTED) != 0);
    Optional<Integer> attributeService = in.optional(o -> (int) o.number());
    SignOn.Authentication authentication =
        new SignOn.Authentication(
            (flags & FORCE_AUTHN) != 0,
            (flags & IS_PASSIVE) != 0,
            in.optional(
                o -> new RequestedAuthnContext(o.text(), o.list(PackedReader::text), o.list(PackedReader::text))),
            in.optional(SignOnCodec::readSubject));
    return new SignOn(realm, partner, delivery, receivedAt, nameId, attributeService, authentication);
  }

  /** The number of leading characters that location and partner have in common. */
  private static int common(String partner, String location) {
    int most = Math.min(partner.length(), location.length());
    int common = 0;
    while (common < most && partner.charAt(common) == location.charAt(common)) {
      common++;
    }
    // Never between the two halves of one character.
    return common > 0 && Character.isHighSurrogate(partner.charAt(common - 1)) ? common - 1 : common;
  }

  private static void writeContext(PackedWriter out, RequestedAuthnContext wanted) {
    out.text(wanted.comparison());
    out.list(wanted.classRefs(), PackedWriter::text);
    out.list(wanted.declRefs(), PackedWriter::text);
  }

  private static void writeSubject(PackedWriter out, NameId subject) {
    out.text(subject.value());
    out.text(subject.format());
    out.optional(subject.nameQualifier(), PackedWriter::text);
    out.optional(subject.spNameQualifier(), PackedWriter::text);
    out.optional(subject.spProvidedId(), PackedWriter::text);
  }

  private static NameId readSubject(PackedReader in) {
    return new NameId(
        in.text(),
        in.text(),
        in.optional(PackedReader::text),
        in.optional(PackedReader::text),
        in.optional(PackedReader::text));
  }
}
