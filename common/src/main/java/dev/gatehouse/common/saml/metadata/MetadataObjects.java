package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static java.util.stream.Collectors.joining;

import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.core.xml.schema.XSURI;
import org.opensaml.saml.saml2.metadata.AttributeConsumingService;
import org.opensaml.saml.saml2.metadata.Endpoint;
import org.opensaml.saml.saml2.metadata.EntityDescriptor;
import org.opensaml.saml.saml2.metadata.IDPSSODescriptor;
import org.opensaml.saml.saml2.metadata.IndexedEndpoint;
import org.opensaml.saml.saml2.metadata.OrganizationDisplayName;
import org.opensaml.saml.saml2.metadata.RequestedAttribute;
import org.opensaml.saml.saml2.metadata.SPSSODescriptor;
import org.opensaml.saml.saml2.metadata.SSODescriptor;
import org.w3c.dom.Element;

/**
 * Converts OpenSAML's descriptors to records, and checks what OpenSAML does not: URLs, indexes, certificates, and the flags about
 * signatures, of which it reads everything but exactly {@code true} or {@code 1} as false. Extensions are read from the tree, so
 * that a malformed one is only ignored.
 */
final class MetadataObjects {

  private static final int MAX_NAMED = 4;
  private static final int MAX_SHOWN = 100;

  private final EntityDescriptor entity;
  private final SetAsideExtensions extensions;
  private final List<String> notes = new ArrayList<>();

  MetadataObjects(EntityDescriptor entity, SetAsideExtensions extensions) {
    this.entity = entity;
    this.extensions = extensions;
  }

  /** Returns notes about everything that was ignored so far. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  PartnerMetadata.IdpRole idp(IDPSSODescriptor role) {
    DescriptorKeys keys = new DescriptorKeys(role, notes);
    noteUnknownAlgorithms(role);
    return new PartnerMetadata.IdpRole(
        keys.signing(),
        keys.encryption(),
        XmlValues.flag(dom(role), IDPSSODescriptor.WANT_AUTHN_REQ_SIGNED_ATTRIB_NAME),
        endpoints(role.getSingleSignOnServices()),
        sso(role),
        scopes(role),
        UiElements.read(extensions.of(dom(role))));
  }

  private PartnerMetadata.SsoDescriptor sso(SSODescriptor role) {
    return new PartnerMetadata.SsoDescriptor(
        endpoints(role.getSingleLogoutServices()),
        indexed(role.getArtifactResolutionServices(), PartnerMetadata.IndexedEndpoint::new),
        endpoints(role.getManageNameIDServices()),
        nameIdFormats(role));
  }

  PartnerMetadata.SpRole sp(SPSSODescriptor role) {
    DescriptorKeys keys = new DescriptorKeys(role, notes);
    noteUnknownAlgorithms(role);
    return new PartnerMetadata.SpRole(
        keys.signing(),
        keys.encryption(),
        XmlValues.flag(dom(role), SPSSODescriptor.AUTH_REQUESTS_SIGNED_ATTRIB_NAME),
        XmlValues.flag(dom(role), SPSSODescriptor.WANT_ASSERTIONS_SIGNED_ATTRIB_NAME),
        indexed(role.getAssertionConsumerServices(), PartnerMetadata.AssertionConsumerService::new),
        sso(role),
        role.getAttributeConsumingServices().stream().map(MetadataObjects::attributeConsumer).toList(),
        UiElements.read(extensions.of(dom(role))));
  }

  /**
   * Returns mdui:DisplayName of a role (Login and Discovery UI 2.1.2), else OrganizationDisplayName; in English if there is one.
   */
  Optional<String> displayName(Stream<UiInfo> roles) {
    return roles
        .map(UiInfo::names)
        .reduce((idp, sp) -> idp.isEmpty() ? sp : idp)
        .flatMap(names -> UiInfo.in("en", names))
        .or(() -> Optional.ofNullable(entity.getOrganization()).flatMap(o -> organization(o.getDisplayNames())));
  }

  private static Optional<String> organization(List<OrganizationDisplayName> names) {
    return UiInfo.in("en", localized(names.stream().map(MetadataObjects::dom).toList(), UiElements::text));
  }

  /** Returns the element from which the object was made. */
  static Element dom(XMLObject object) {
    @Nullable Element element = object.getDOM();
    if (element == null) {
      throw new IllegalStateException("OpenSAML has let go of the tree");
    }
    return element;
  }

  /** Returns shibmd:Scope of the role or of the entity. Regular expressions are ignored: matching them could be expensive. */
  private List<String> scopes(IDPSSODescriptor role) {
    return Stream.concat(extensions.of(dom(role)).stream(), extensions.of(dom(entity)).stream())
        .flatMap(found -> Dom.children(found, XmlNamespace.SHIBMD, "Scope").stream())
        .map(this::scope)
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  private Optional<String> scope(Element element) {
    String flag = Dom.attribute(element, "regexp").map(String::strip).orElse("false");
    if (!flag.equals("false") && !flag.equals("0")) {
      notes.add("a shibmd:Scope that is a regular expression does not count");
      return Optional.empty();
    }
    return Optional.of(Dom.text(element).strip().toLowerCase(Locale.ROOT)).filter(scope -> !scope.isEmpty());
  }

  /**
   * Adds a note if none of the algorithms that the role declares for its signatures is supported here (SAML Metadata Profile for
   * Algorithm Support 2.2, 2.3). The declarations of the entity apply if the role has none. The messages will be refused one by one;
   * the note tells administrators in advance.
   */
  private void noteUnknownAlgorithms(SSODescriptor role) {
    noteUnknown(role, "SigningMethod", "signature algorithms", uri -> SignatureAlgorithm.ofUri(uri).isPresent());
    noteUnknown(role, "DigestMethod", "digest algorithms", EnvelopedSignature.DIGEST_METHODS::contains);
  }

  private void noteUnknown(SSODescriptor role, String element, String kind, Predicate<String> offered) {
    List<String> ofRole = algorithms(dom(role), element);
    List<String> listed = ofRole.isEmpty() ? algorithms(dom(entity), element) : ofRole;
    if (!listed.isEmpty() && listed.stream().noneMatch(offered)) {
      notes.add(
          "none of the " + kind + " that it lists is taken here, so that its signed messages are refused: "
              + listed.stream().limit(MAX_NAMED).map(MetadataObjects::shown).collect(joining(", ")));
    }
  }

  private List<String> algorithms(Element parent, String element) {
    return extensions.of(parent).stream()
        .flatMap(found -> Dom.children(found, XmlNamespace.ALG, element).stream())
        .map(found -> Dom.attribute(found, "Algorithm").map(String::strip).orElse(""))
        .toList();
  }

  private static PartnerMetadata.AttributeConsumingService attributeConsumer(AttributeConsumingService e) {
    return new PartnerMetadata.AttributeConsumingService(
        XmlValues.index(Dom.attribute(dom(e), "index").orElse("")),
        Boolean.TRUE.equals(e.isDefault()),
        localized(e.getNames().stream().map(MetadataObjects::dom).toList(), UiElements::text),
        e.getRequestedAttributes().stream().map(MetadataObjects::requested).toList());
  }

  /** Makes text safe for one line of a log: no line breaks, bounded length. */
  private static String shown(String text) {
    String some = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    return some.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }

  private static PartnerMetadata.RequestedAttribute requested(RequestedAttribute e) {
    Element dom = dom(e);
    return new PartnerMetadata.RequestedAttribute(
        Dom.attribute(dom, "Name")
            .filter(name -> !name.isBlank())
            .orElseThrow(() -> new MessageRefused(SCHEMA, "a RequestedAttribute without name")),
        Dom.attribute(dom, "NameFormat").map(String::strip).orElse(SamlAttribute.UNSPECIFIED),
        Dom.attribute(dom, "FriendlyName"),
        XmlValues.flag(dom, "isRequired"),
        Dom.children(dom, XmlNamespace.SAML, "AttributeValue").stream().map(Dom::text).toList());
  }

  private static Map<String, String> localized(List<Element> elements, Function<Element, Optional<String>> value) {
    Map<String, String> found = new LinkedHashMap<>();
    elements.forEach(
        e -> value.apply(e).ifPresent(text -> found.putIfAbsent(UiElements.language(e).orElse("en"), text)));
    return Collections.unmodifiableMap(found);
  }

  private static List<String> nameIdFormats(SSODescriptor role) {
    return role.getNameIDFormats().stream().map(XSURI::getURI).flatMap(Stream::ofNullable).toList();
  }

  /** Returns the endpoints with known bindings. */
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

  private interface MakeIndexed<T> {
    T of(int index, boolean isDefault, Binding binding, String location);
  }

  private static <T> List<T> indexed(List<? extends IndexedEndpoint> endpoints, MakeIndexed<T> make) {
    return endpoints.stream()
        .flatMap(
            e ->
                binding(e).stream()
                    .map(b -> make.of(index(e), Boolean.TRUE.equals(e.isDefault()), b, url(e.getLocation()))))
        .toList();
  }

  private static Optional<Binding> binding(Endpoint e) {
    return Optional.ofNullable(e.getBinding()).map(String::strip).flatMap(Binding::ofUri);
  }

  /** Returns an unsignedShort (SAML Metadata 2.2.3). */
  private static int index(IndexedEndpoint endpoint) {
    @Nullable Integer index = endpoint.getIndex();
    if (index == null || index < 0 || index > 65535) {
      throw new MessageRefused(SCHEMA, "an endpoint whose index is not from 0 to 65535");
    }
    return index;
  }

  /** Returns an address for browsers and back channels: absolute http(s) URLs only, never {@code javascript:}. */
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
      // Refused below.
    }
    throw new MessageRefused(SCHEMA, "an endpoint whose Location is not an absolute http or https URL");
  }
}
