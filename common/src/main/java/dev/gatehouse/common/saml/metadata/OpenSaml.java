package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;

import dev.gatehouse.common.saml.MessageRefused;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.opensaml.core.config.ConfigurationService;
import org.opensaml.core.xml.XMLObject;
import org.opensaml.core.xml.XMLObjectBuilder;
import org.opensaml.core.xml.config.XMLObjectProviderRegistry;
import org.opensaml.core.xml.config.XMLObjectProviderRegistrySupport;
import org.opensaml.core.xml.io.Unmarshaller;
import org.opensaml.core.xml.io.UnmarshallingException;
import org.opensaml.core.xml.schema.impl.XSAnyBuilder;
import org.opensaml.core.xml.schema.impl.XSAnyUnmarshaller;
import org.opensaml.core.xml.schema.impl.XSBase64BinaryUnmarshaller;
import org.opensaml.core.xml.schema.impl.XSURIUnmarshaller;
import org.opensaml.saml.saml2.metadata.ArtifactResolutionService;
import org.opensaml.saml.saml2.metadata.AssertionConsumerService;
import org.opensaml.saml.saml2.metadata.AttributeConsumingService;
import org.opensaml.saml.saml2.metadata.EntityDescriptor;
import org.opensaml.saml.saml2.metadata.IDPSSODescriptor;
import org.opensaml.saml.saml2.metadata.KeyDescriptor;
import org.opensaml.saml.saml2.metadata.ManageNameIDService;
import org.opensaml.saml.saml2.metadata.NameIDFormat;
import org.opensaml.saml.saml2.metadata.Organization;
import org.opensaml.saml.saml2.metadata.OrganizationDisplayName;
import org.opensaml.saml.saml2.metadata.RequestedAttribute;
import org.opensaml.saml.saml2.metadata.SPSSODescriptor;
import org.opensaml.saml.saml2.metadata.ServiceName;
import org.opensaml.saml.saml2.metadata.SingleLogoutService;
import org.opensaml.saml.saml2.metadata.SingleSignOnService;
import org.opensaml.saml.saml2.metadata.impl.ArtifactResolutionServiceBuilder;
import org.opensaml.saml.saml2.metadata.impl.AssertionConsumerServiceBuilder;
import org.opensaml.saml.saml2.metadata.impl.AttributeConsumingServiceBuilder;
import org.opensaml.saml.saml2.metadata.impl.AttributeConsumingServiceUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.EndpointUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.EntityDescriptorBuilder;
import org.opensaml.saml.saml2.metadata.impl.EntityDescriptorUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.IDPSSODescriptorBuilder;
import org.opensaml.saml.saml2.metadata.impl.IDPSSODescriptorUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.IndexedEndpointUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.KeyDescriptorBuilder;
import org.opensaml.saml.saml2.metadata.impl.KeyDescriptorUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.LocalizedNameUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.ManageNameIDServiceBuilder;
import org.opensaml.saml.saml2.metadata.impl.NameIDFormatBuilder;
import org.opensaml.saml.saml2.metadata.impl.OrganizationBuilder;
import org.opensaml.saml.saml2.metadata.impl.OrganizationDisplayNameBuilder;
import org.opensaml.saml.saml2.metadata.impl.OrganizationUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.RequestedAttributeBuilder;
import org.opensaml.saml.saml2.metadata.impl.RequestedAttributeUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.SPSSODescriptorBuilder;
import org.opensaml.saml.saml2.metadata.impl.SPSSODescriptorUnmarshaller;
import org.opensaml.saml.saml2.metadata.impl.ServiceNameBuilder;
import org.opensaml.saml.saml2.metadata.impl.SingleLogoutServiceBuilder;
import org.opensaml.saml.saml2.metadata.impl.SingleSignOnServiceBuilder;
import org.opensaml.xmlsec.signature.KeyInfo;
import org.opensaml.xmlsec.signature.X509Certificate;
import org.opensaml.xmlsec.signature.X509Data;
import org.opensaml.xmlsec.signature.impl.KeyInfoBuilder;
import org.opensaml.xmlsec.signature.impl.KeyInfoUnmarshaller;
import org.opensaml.xmlsec.signature.impl.X509CertificateBuilder;
import org.opensaml.xmlsec.signature.impl.X509DataBuilder;
import org.opensaml.xmlsec.signature.impl.X509DataUnmarshaller;
import org.w3c.dom.Element;

/**
 * The part of OpenSAML that we use: it makes typed objects of descriptors (SAML Metadata 2) in a tree of ours.
 *
 * <p>It is initialised when the first descriptor is read, which happens on a thread that refreshes a partner, and only with the
 * types named here. Its {@code InitializationService} would also set up signing, encryption, SOAP and an HTTP client, which are
 * all unused here: docs/decisions/0014-opensaml-reads-metadata-only.md has the cost. An element of any other type, including
 * ds:Signature, becomes an {@code XSAny} that nobody reads; a type that must be read gets its line below.
 */
final class OpenSaml {

  private OpenSaml() {}

  /** Returns the descriptor as objects, or throws {@link MessageRefused} if a value in it cannot be read. */
  static EntityDescriptor entityDescriptor(Element element) {
    try {
      return (EntityDescriptor) Metadata.ENTITY_DESCRIPTORS.unmarshall(element);
    } catch (UnmarshallingException | RuntimeException e) {
      // A malformed number or time causes whatever exception its parser throws.
      throw new MessageRefused(SCHEMA, "the descriptor has a malformed value: " + e.getClass().getSimpleName());
    }
  }

  /** Initialised at its first use (Java Language Specification, section 12.4.1). */
  private static final class Metadata {

    static final Unmarshaller ENTITY_DESCRIPTORS = initialise();

    private Metadata() {}

    private static Unmarshaller initialise() {
      @Nullable XMLObjectProviderRegistry present = ConfigurationService.get(XMLObjectProviderRegistry.class);
      if (present == null) {
        ConfigurationService.register(XMLObjectProviderRegistry.class, new XMLObjectProviderRegistry());
      }
      register(XMLObjectProviderRegistrySupport.getDefaultProviderQName(), new XSAnyBuilder(), new XSAnyUnmarshaller());

      EntityDescriptorUnmarshaller entityDescriptors = new EntityDescriptorUnmarshaller();
      register(EntityDescriptor.DEFAULT_ELEMENT_NAME, new EntityDescriptorBuilder(), entityDescriptors);
      register(Organization.DEFAULT_ELEMENT_NAME, new OrganizationBuilder(), new OrganizationUnmarshaller());
      register(
          OrganizationDisplayName.DEFAULT_ELEMENT_NAME,
          new OrganizationDisplayNameBuilder(),
          new LocalizedNameUnmarshaller());

      register(
          IDPSSODescriptor.DEFAULT_ELEMENT_NAME, new IDPSSODescriptorBuilder(), new IDPSSODescriptorUnmarshaller());
      register(SPSSODescriptor.DEFAULT_ELEMENT_NAME, new SPSSODescriptorBuilder(), new SPSSODescriptorUnmarshaller());
      register(NameIDFormat.DEFAULT_ELEMENT_NAME, new NameIDFormatBuilder(), new XSURIUnmarshaller());
      register(SingleSignOnService.DEFAULT_ELEMENT_NAME, new SingleSignOnServiceBuilder(), new EndpointUnmarshaller());
      register(SingleLogoutService.DEFAULT_ELEMENT_NAME, new SingleLogoutServiceBuilder(), new EndpointUnmarshaller());
      register(
          AssertionConsumerService.DEFAULT_ELEMENT_NAME,
          new AssertionConsumerServiceBuilder(),
          new IndexedEndpointUnmarshaller());
      register(
          ArtifactResolutionService.DEFAULT_ELEMENT_NAME,
          new ArtifactResolutionServiceBuilder(),
          new IndexedEndpointUnmarshaller());
      register(ManageNameIDService.DEFAULT_ELEMENT_NAME, new ManageNameIDServiceBuilder(), new EndpointUnmarshaller());
      register(
          AttributeConsumingService.DEFAULT_ELEMENT_NAME,
          new AttributeConsumingServiceBuilder(),
          new AttributeConsumingServiceUnmarshaller());
      register(ServiceName.DEFAULT_ELEMENT_NAME, new ServiceNameBuilder(), new LocalizedNameUnmarshaller());
      register(
          RequestedAttribute.DEFAULT_ELEMENT_NAME,
          new RequestedAttributeBuilder(),
          new RequestedAttributeUnmarshaller());

      register(KeyDescriptor.DEFAULT_ELEMENT_NAME, new KeyDescriptorBuilder(), new KeyDescriptorUnmarshaller());
      register(KeyInfo.DEFAULT_ELEMENT_NAME, new KeyInfoBuilder(), new KeyInfoUnmarshaller());
      register(X509Data.DEFAULT_ELEMENT_NAME, new X509DataBuilder(), new X509DataUnmarshaller());
      register(X509Certificate.DEFAULT_ELEMENT_NAME, new X509CertificateBuilder(), new XSBase64BinaryUnmarshaller());
      return entityDescriptors;
    }

    /** Registers a type without marshaller, because OpenSAML writes nothing here. */
    private static void register(QName name, XMLObjectBuilder<? extends XMLObject> builder, Unmarshaller unmarshaller) {
      XMLObjectProviderRegistrySupport.getBuilderFactory().registerBuilder(name, builder);
      XMLObjectProviderRegistrySupport.getUnmarshallerFactory().registerUnmarshaller(name, unmarshaller);
    }
  }
}
