package dev.gatehouse.common.saml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.XmlNamespace.DS;
import static dev.gatehouse.common.saml.XmlNamespace.MD;
import static dev.gatehouse.common.saml.XmlNamespace.MDUI;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** Makes records of descriptors that {@link SamlGrammars#DESCRIPTORS} has checked (SAML Metadata 2). */
final class MetadataElements {

  private static final String XML_LANG = "lang";

  private MetadataElements() {}

  /** The entity's first role of that name that speaks SAML 2.0 (SAML Metadata 2.4.1). */
  static Optional<Element> role(Element entity, String name) {
    return Dom.children(entity, MD, name).stream()
        .filter(
            role -> {
              String protocols = Dom.attribute(role, "protocolSupportEnumeration").orElse("");
              return List.of(protocols.strip().split("\\s+")).contains(XmlNamespace.SAMLP.uri());
            })
        .findFirst();
  }

  static PartnerMetadata.IdpRole idp(Element role) {
    return new PartnerMetadata.IdpRole(
        signing(role),
        XmlValues.flag(role, "WantAuthnRequestsSigned"),
        endpoints(role, "SingleSignOnService"),
        endpoints(role, "SingleLogoutService"),
        nameIdFormats(role));
  }

  static PartnerMetadata.SpRole sp(Element role) {
    return new PartnerMetadata.SpRole(
        signing(role),
        XmlValues.flag(role, "AuthnRequestsSigned"),
        XmlValues.flag(role, "WantAssertionsSigned"),
        mapped(role, "AssertionConsumerService", MetadataElements::consumer),
        endpoints(role, "SingleLogoutService"),
        nameIdFormats(role));
  }

  private static List<String> nameIdFormats(Element role) {
    return Dom.children(role, MD, "NameIDFormat").stream().map(XmlValues::uri).toList();
  }

  /** Certificates of keys that are for signing, or for everything (SAML Metadata 2.4.1.1). */
  private static List<X509Certificate> signing(Element role) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Element descriptor : Dom.children(role, MD, "KeyDescriptor")) {
      if (Dom.attribute(descriptor, "use").orElse("signing").equals("signing")) {
        certificate(XmlValues.required(descriptor, DS, "KeyInfo")).ifPresent(certificates::add);
      }
    }
    return List.copyOf(certificates);
  }

  /** The first certificate alone: a chain's further ones are authorities, whose keys must not sign messages. */
  private static Optional<X509Certificate> certificate(Element keyInfo) {
    return Dom.child(keyInfo, DS, "X509Data")
        .flatMap(data -> Dom.child(data, DS, "X509Certificate"))
        .map(
            e -> {
              byte[] encoded =
                  Transport.wrappedBase64(Dom.text(e))
                      .orElseThrow(() -> new MessageRefused(SCHEMA, "a certificate that is not base64"));
              try {
                var factory = CertificateFactory.getInstance("X.509");
                return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
              } catch (CertificateException ex) {
                throw new MessageRefused(SCHEMA, "a certificate that cannot be read");
              }
            });
  }

  private static List<PartnerMetadata.Endpoint> endpoints(Element role, String name) {
    return mapped(role, name, MetadataElements::endpoint);
  }

  private static <T> List<T> mapped(Element role, String name, Function<Element, Optional<T>> read) {
    return Dom.children(role, MD, name).stream().map(read).flatMap(Optional::stream).toList();
  }

  /** Empty for a binding that we do not know. */
  private static Optional<PartnerMetadata.Endpoint> endpoint(Element e) {
    return binding(e)
        .map(
            binding ->
                new PartnerMetadata.Endpoint(
                    binding, location(e), Dom.attribute(e, "ResponseLocation").map(MetadataElements::url)));
  }

  private static Optional<PartnerMetadata.AssertionConsumerService> consumer(Element e) {
    return binding(e)
        .map(
            binding ->
                new PartnerMetadata.AssertionConsumerService(
                    Dom.attribute(e, "index").map(XmlValues::index).orElse(0),
                    XmlValues.flag(e, "isDefault"),
                    binding,
                    location(e)));
  }

  private static Optional<Binding> binding(Element e) {
    return Dom.attribute(e, "Binding").map(String::strip).flatMap(Binding::ofUri);
  }

  private static String location(Element e) {
    return url(Dom.attribute(e, "Location").orElse(""));
  }

  /** Browsers and our back channels are sent there: only plain absolute http(s) URLs, never {@code javascript:}. */
  private static String url(String text) {
    String stripped = text.strip();
    try {
      URI uri = new URI(stripped);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean http = scheme.equals("http") || scheme.equals("https");
      if (http && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
        return stripped;
      }
    } catch (URISyntaxException ex) {
      // refused below
    }
    throw new MessageRefused(SCHEMA, "an endpoint whose Location is not an absolute http or https URL");
  }

  /** mdui:DisplayName of a role (Login and Discovery UI 2.1.2), else OrganizationDisplayName. */
  static Optional<String> displayName(Element entity, Stream<Element> roles) {
    List<Element> names =
        roles
            .flatMap(role -> Dom.child(role, MD, "Extensions").stream())
            .flatMap(extensions -> Dom.child(extensions, MDUI, "UIInfo").stream())
            .flatMap(info -> Dom.children(info, MDUI, "DisplayName").stream())
            .filter(name -> !Dom.hasElements(name))
            .toList();
    return inEnglish(names)
        .or(
            () ->
                Dom.child(entity, MD, "Organization")
                    .flatMap(o -> inEnglish(Dom.children(o, MD, "OrganizationDisplayName"))));
  }

  private static Optional<String> inEnglish(List<Element> names) {
    return names.stream()
        .filter(name -> name.getAttributeNS(XmlNamespace.XML, XML_LANG).startsWith("en"))
        .findFirst()
        .or(() -> names.stream().findFirst())
        .map(name -> Dom.text(name).strip())
        .filter(name -> !name.isEmpty());
  }
}
