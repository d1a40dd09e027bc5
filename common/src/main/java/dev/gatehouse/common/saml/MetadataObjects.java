package dev.gatehouse.common.saml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.core.xml.schema.XSURI;
import org.opensaml.saml.ext.saml2mdui.DisplayName;
import org.opensaml.saml.ext.saml2mdui.UIInfo;
import org.opensaml.saml.saml2.metadata.AssertionConsumerService;
import org.opensaml.saml.saml2.metadata.Endpoint;
import org.opensaml.saml.saml2.metadata.EntityDescriptor;
import org.opensaml.saml.saml2.metadata.IDPSSODescriptor;
import org.opensaml.saml.saml2.metadata.KeyDescriptor;
import org.opensaml.saml.saml2.metadata.LocalizedName;
import org.opensaml.saml.saml2.metadata.RoleDescriptor;
import org.opensaml.saml.saml2.metadata.SPSSODescriptor;
import org.opensaml.saml.saml2.metadata.SSODescriptor;
import org.opensaml.security.credential.UsageType;
import org.opensaml.xmlsec.signature.X509Data;
import org.w3c.dom.Element;

/**
 * Makes records of OpenSAML's descriptors, and checks what OpenSAML lets pass: URLs, indexes, certificates, and the
 * flags about signatures, where it takes everything that is not exactly {@code true} or {@code 1} for false.
 */
final class MetadataObjects {

  private MetadataObjects() {}

  static PartnerMetadata.IdpRole idp(IDPSSODescriptor role) {
    return new PartnerMetadata.IdpRole(
        signing(role),
        XmlValues.flag(dom(role), IDPSSODescriptor.WANT_AUTHN_REQ_SIGNED_ATTRIB_NAME),
        endpoints(role.getSingleSignOnServices()),
        endpoints(role.getSingleLogoutServices()),
        nameIdFormats(role));
  }

  static PartnerMetadata.SpRole sp(SPSSODescriptor role) {
    return new PartnerMetadata.SpRole(
        signing(role),
        XmlValues.flag(dom(role), SPSSODescriptor.AUTH_REQUESTS_SIGNED_ATTRIB_NAME),
        XmlValues.flag(dom(role), SPSSODescriptor.WANT_ASSERTIONS_SIGNED_ATTRIB_NAME),
        role.getAssertionConsumerServices().stream()
            .map(MetadataObjects::consumer)
            .flatMap(Optional::stream)
            .toList(),
        endpoints(role.getSingleLogoutServices()),
        nameIdFormats(role));
  }

  /** The element that the object was made of. */
  static Element dom(XMLObject object) {
    @Nullable Element element = object.getDOM();
    if (element == null) {
      throw new IllegalStateException("OpenSAML has let go of the tree");
    }
    return element;
  }

  private static List<String> nameIdFormats(SSODescriptor role) {
    return role.getNameIDFormats().stream().map(XSURI::getURI).flatMap(Stream::ofNullable).toList();
  }

  /**
   * Certificates of keys that are for signing, or for everything (SAML Metadata 2.4.1.1). Of each X509Data the first
   * alone: a chain's further ones are authorities, whose keys must not sign messages. A KeyValue without certificate
   * does not count.
   */
  private static List<X509Certificate> signing(RoleDescriptor role) {
    return role.getKeyDescriptors().stream()
        .filter(key -> key.getUse() != UsageType.ENCRYPTION)
        .map(KeyDescriptor::getKeyInfo)
        .flatMap(Stream::ofNullable)
        .flatMap(info -> info.getX509Datas().stream())
        .map(X509Data::getX509Certificates)
        .flatMap(certificates -> certificates.stream().limit(1))
        .map(certificate -> certificate(String.valueOf(certificate.getValue())))
        .distinct()
        .toList();
  }

  private static X509Certificate certificate(String base64) {
    byte[] encoded =
        Transport.wrappedBase64(base64)
            .orElseThrow(() -> new MessageRefused(SCHEMA, "a certificate that is not base64"));
    try {
      var factory = CertificateFactory.getInstance("X.509");
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(encoded));
    } catch (CertificateException e) {
      throw new MessageRefused(SCHEMA, "a certificate that cannot be read");
    }
  }

  /** Without those of bindings that we do not know. */
  private static List<PartnerMetadata.Endpoint> endpoints(List<? extends Endpoint> endpoints) {
    return endpoints.stream().map(MetadataObjects::endpoint).flatMap(Optional::stream).toList();
  }

  private static Optional<PartnerMetadata.Endpoint> endpoint(Endpoint e) {
    return binding(e)
        .map(
            binding ->
                new PartnerMetadata.Endpoint(
                    binding,
                    url(e.getLocation()),
                    Optional.ofNullable(e.getResponseLocation()).map(MetadataObjects::url)));
  }

  private static Optional<PartnerMetadata.AssertionConsumerService> consumer(AssertionConsumerService e) {
    return binding(e)
        .map(
            binding ->
                new PartnerMetadata.AssertionConsumerService(
                    index(e.getIndex()), Boolean.TRUE.equals(e.isDefault()), binding, url(e.getLocation())));
  }

  private static Optional<Binding> binding(Endpoint e) {
    return Optional.ofNullable(e.getBinding()).map(String::strip).flatMap(Binding::ofUri);
  }

  /** An unsignedShort (SAML Metadata 2.2.3). */
  private static int index(@Nullable Integer index) {
    if (index == null || index < 0 || index > 65535) {
      throw new MessageRefused(SCHEMA, "an AssertionConsumerService whose index is not from 0 to 65535");
    }
    return index;
  }

  /** Browsers and our back channels are sent there: only plain absolute http(s) URLs, never {@code javascript:}. */
  private static String url(@Nullable String text) {
    String stripped = text == null ? "" : text.strip();
    try {
      URI uri = new URI(stripped);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      boolean http = scheme.equals("http") || scheme.equals("https");
      if (http && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
        return stripped;
      }
    } catch (URISyntaxException e) {
      // refused below
    }
    throw new MessageRefused(SCHEMA, "an endpoint whose Location is not an absolute http or https URL");
  }

  /** mdui:DisplayName of a role (Login and Discovery UI 2.1.2), else OrganizationDisplayName. */
  static Optional<String> displayName(EntityDescriptor entity, Stream<? extends RoleDescriptor> roles) {
    Stream<DisplayName> ofRoles =
        roles
            .map(RoleDescriptor::getExtensions)
            .flatMap(Stream::ofNullable)
            .flatMap(extensions -> extensions.getUnknownXMLObjects(UIInfo.DEFAULT_ELEMENT_NAME).stream())
            .flatMap(info -> info instanceof UIInfo ui ? ui.getDisplayNames().stream() : Stream.empty());
    return inEnglish(ofRoles)
        .or(
            () ->
                Optional.ofNullable(entity.getOrganization())
                    .flatMap(organization -> inEnglish(organization.getDisplayNames().stream())));
  }

  private static Optional<String> inEnglish(Stream<? extends LocalizedName> all) {
    List<LocalizedName> names = all.<LocalizedName>map(name -> name).toList();
    return names.stream()
        .filter(name -> String.valueOf(name.getXMLLang()).startsWith("en"))
        .findFirst()
        .or(() -> names.stream().findFirst())
        .map(LocalizedName::getValue)
        .map(String::strip)
        .filter(name -> !name.isEmpty());
  }
}
