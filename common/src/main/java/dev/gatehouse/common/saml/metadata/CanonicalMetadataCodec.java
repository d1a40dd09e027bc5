package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.EXPIRED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.PARTNER_UNKNOWN;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_MISSING;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.UNEXPECTED_MESSAGE;
import static dev.gatehouse.common.saml.xml.XmlNamespace.MD;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.xml.BoundedTree;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.HardenedParser;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.opensaml.saml.saml2.metadata.EntityDescriptor;
import org.opensaml.saml.saml2.metadata.IDPSSODescriptor;
import org.opensaml.saml.saml2.metadata.SPSSODescriptor;
import org.opensaml.saml.saml2.metadata.SSODescriptor;
import org.w3c.dom.Element;

/**
 * Reads and writes metadata with the parser, the signatures and the canonical writer of messages. OpenSAML interprets the
 * descriptors: it knows the large schema and how the many products use it, and time does not matter here.
 */
public final class CanonicalMetadataCodec implements MetadataCodec {

  private static final int MAX_BYTES = 10 << 20;
  private static final BoundedTree.Limits LIMITS = new BoundedTree.Limits(40, 300_000, 64);

  private final HardenedParser parser = parser();

  static HardenedParser parser() {
    return new HardenedParser(MAX_BYTES, LIMITS);
  }

  @Override
  public Result<PartnerMetadata, SamlRefusal> read(
      byte[] document, String entityId, Optional<X509Certificate> verifyWith, Instant now) {
    try {
      Element root = root(parser, document);
      List<Element> path = path(root, entityId);
      verifyWith.ifPresent(certificate -> verify(root, path.getLast(), certificate.getPublicKey()));
      return new Result.Accepted<>(metadata(path, entityId, now));
    } catch (MessageRefused e) {
      return new Result.Refused<>(e.refusal());
    }
  }

  static Element root(HardenedParser parser, byte[] document) {
    Element root = parser.parse(document).getDocumentElement();
    if (!Dom.is(root, MD, "EntityDescriptor") && !Dom.is(root, MD, "EntitiesDescriptor")) {
      throw new MessageRefused(UNEXPECTED_MESSAGE, Dom.name(root) + " where metadata is expected");
    }
    return root;
  }

  /** Returns all descriptors of entities. */
  static List<Element> descriptors(Element root) {
    List<Element> found = new ArrayList<>();
    collect(root, found);
    return found;
  }

  private static void collect(Element at, List<Element> found) {
    if (Dom.is(at, MD, "EntityDescriptor")) {
      found.add(at);
      return;
    }
    Dom.children(at, MD, "EntityDescriptor").forEach(found::add);
    Dom.children(at, MD, "EntitiesDescriptor").forEach(child -> collect(child, found));
  }

  /** Returns the elements from the root to the entity's descriptor, which must be the only one of that name. */
  private static List<Element> path(Element root, String entityId) {
    List<List<Element>> paths = new ArrayList<>();
    search(root, entityId, List.of(), paths);
    if (paths.isEmpty()) {
      throw new MessageRefused(PARTNER_UNKNOWN, "the metadata does not describe that entity");
    }
    if (paths.size() > 1) {
      throw new MessageRefused(SCHEMA, "the metadata describes that entity more than once");
    }
    return paths.getFirst();
  }

  private static void search(Element at, String entityId, List<Element> above, List<List<Element>> found) {
    List<Element> path = Stream.concat(above.stream(), Stream.of(at)).toList();
    if (Dom.is(at, MD, "EntityDescriptor")) {
      if (Dom.attribute(at, "entityID").orElse("").equals(entityId)) {
        found.add(path);
      }
      return;
    }
    Dom.children(at, MD, "EntityDescriptor").forEach(child -> search(child, entityId, path, found));
    Dom.children(at, MD, "EntitiesDescriptor").forEach(child -> search(child, entityId, path, found));
  }

  /** Verifies the signature of the whole document or of the entity's descriptor (SAML Metadata 3). */
  private static void verify(Element root, Element entity, PublicKey key) {
    Element signed = EnvelopedSignature.of(root).isPresent() ? root : entity;
    EnvelopedSignature.of(signed)
        .orElseThrow(() -> new MessageRefused(SIGNATURE_MISSING, "the metadata is not signed"))
        .verify(signed, List.of(key));
  }

  private static PartnerMetadata metadata(List<Element> path, String entityId, Instant now) {
    SetAsideExtensions extensions = new SetAsideExtensions(path.getLast());
    EntityDescriptor entity = OpenSaml.entityDescriptor(path.getLast());
    Optional<IDPSSODescriptor> idp = Optional.ofNullable(entity.getIDPSSODescriptor(XmlNamespace.SAMLP.uri()));
    Optional<SPSSODescriptor> sp = Optional.ofNullable(entity.getSPSSODescriptor(XmlNamespace.SAMLP.uri()));
    List<SSODescriptor> roles = Stream.<SSODescriptor>concat(idp.stream(), sp.stream()).toList();
    if (roles.isEmpty()) {
      throw new MessageRefused(SCHEMA, "neither identity provider nor service provider of SAML 2.0");
    }
    List<Element> applying = Stream.concat(path.stream(), roles.stream().map(MetadataObjects::dom)).toList();
    // OpenSAML is not used here: it reads a time without zone as local time, and an empty one as absent.
    Optional<Instant> validUntil = least(applying, e -> XmlValues.instant(e, "validUntil"));
    if (validUntil.isPresent() && !now.isBefore(validUntil.get())) {
      throw new MessageRefused(EXPIRED, "the metadata was valid until " + validUntil.get());
    }
    Optional<Duration> cacheDuration = least(applying, e -> XmlValues.duration(e, "cacheDuration"));
    MetadataObjects objects = new MetadataObjects(entity, extensions);
    Optional<IdpRole> ofIdp = idp.map(objects::idp);
    Optional<SpRole> ofSp = sp.map(objects::sp);
    return new PartnerMetadata(
        entityId,
        validUntil,
        cacheDuration,
        objects.displayName(Stream.concat(ofIdp.stream().map(IdpRole::ui), ofSp.stream().map(SpRole::ui))),
        ofIdp,
        ofSp,
        objects.notes());
  }

  private static <T extends Comparable<T>> Optional<T> least(
      List<Element> elements, Function<Element, Optional<T>> value) {
    return elements.stream().map(value).flatMap(Optional::stream).min(Comparator.naturalOrder());
  }

  @Override
  public byte[] writeIdp(IdpDescriptor descriptor, SigningKey key) {
    return DescriptorElements.idp(descriptor, key);
  }

  @Override
  public byte[] writeSp(SpDescriptor descriptor, SigningKey key) {
    return DescriptorElements.sp(descriptor, key);
  }
}
