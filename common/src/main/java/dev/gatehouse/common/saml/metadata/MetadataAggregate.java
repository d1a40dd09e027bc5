package dev.gatehouse.common.saml.metadata;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.EXPIRED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.PARTNER_UNKNOWN;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_MISSING;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_NOT_WELL_FORMED;
import static dev.gatehouse.common.saml.xml.XmlNamespace.DS;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.metadata.MetadataOutline.Entity;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.HardenedParser;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.xml.security.c14n.CanonicalizationException;
import org.apache.xml.security.c14n.implementations.Canonicalizer20010315OmitComments;
import org.apache.xml.security.utils.UnsyncByteArrayOutputStream;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Metadata of many entities that their publisher has signed as a whole, and that are taken apart into one document for each entity. Used
 * by one thread, since {@link #extract} changes the tree.
 */
public final class MetadataAggregate {

  private static final HardenedParser PARSER = CanonicalMetadataCodec.parser();

  private final Map<String, List<Element>> byEntityId = new LinkedHashMap<>();
  private final List<Entity> entities;
  private final Optional<Instant> validUntil;

  private MetadataAggregate(Element root, Instant now) {
    this.validUntil = XmlValues.instant(root, "validUntil");
    if (validUntil.filter(until -> !now.isBefore(until)).isPresent()) {
      throw new MessageRefused(EXPIRED, "the metadata was valid until " + validUntil.get());
    }
    List<Element> descriptors = CanonicalMetadataCodec.descriptors(root);
    this.entities = descriptors.stream().map(MetadataInspector::entity).toList();
    for (int i = 0; i < descriptors.size(); i++) {
      byEntityId.computeIfAbsent(entities.get(i).entityId(), id -> new ArrayList<>()).add(descriptors.get(i));
    }
  }

  /**
   * Reads an aggregate.
   *
   * @param signer the certificate whose key must have signed the whole document
   * @param now for validUntil: an expired document is refused
   */
  public static Result<MetadataAggregate, SamlRefusal> read(byte[] document, X509Certificate signer, Instant now) {
    try {
      Element root = CanonicalMetadataCodec.root(PARSER, document);
      EnvelopedSignature.of(root)
          .orElseThrow(() -> new MessageRefused(SIGNATURE_MISSING, "the metadata is not signed as a whole"))
          .verify(root, List.of(signer.getPublicKey()));
      return Result.accepted(new MetadataAggregate(root, now));
    } catch (MessageRefused e) {
      return Result.refused(e.refusal());
    }
  }

  /** Returns what it describes, in the order of the document. */
  public List<Entity> entities() {
    return entities;
  }

  /** Returns the end of the whole document. */
  public Optional<Instant> validUntil() {
    return validUntil;
  }

  /**
   * Returns the metadata of one entity as a document of its own, which ends no later than the aggregate (SAML Metadata 2.3.1). It has no
   * signature: that of the aggregate was verified, and one of its own would not hold any more.
   */
  public Result<byte[], SamlRefusal> extract(String entityId) {
    List<Element> found = byEntityId.getOrDefault(entityId, List.of());
    if (found.size() != 1) {
      return Result.refused(
          found.isEmpty()
              ? new SamlRefusal(PARTNER_UNKNOWN, "the metadata does not describe that entity")
              : new SamlRefusal(SCHEMA, "the metadata describes that entity more than once"));
    }
    Element entity = found.getFirst();
    try {
      Dom.children(entity, DS, "Signature").forEach(entity::removeChild);
      earliest(entity).ifPresent(until -> entity.setAttribute("validUntil", until.toString()));
      UnsyncByteArrayOutputStream out = new UnsyncByteArrayOutputStream();
      new Canonicalizer20010315OmitComments().engineCanonicalizeSubTree(entity, out);
      return Result.accepted(out.toByteArray());
    } catch (MessageRefused e) {
      return Result.refused(e.refusal());
    } catch (CanonicalizationException e) {
      return Result.refused(new SamlRefusal(XML_NOT_WELL_FORMED, "cannot be canonicalised"));
    }
  }

  /** Returns whether an entity's metadata end before that time, or never; false if it is not described, or its end cannot be read. */
  public boolean endsBefore(String entityId, Instant time) {
    try {
      return byEntityId.getOrDefault(entityId, List.of()).stream()
          .anyMatch(entity -> earliest(entity).filter(until -> !until.isBefore(time)).isEmpty());
    } catch (MessageRefused e) {
      return false;
    }
  }

  /** Returns the earliest end of the entity and of the groups that it is in. */
  private static Optional<Instant> earliest(Element entity) {
    Optional<Instant> earliest = Optional.empty();
    for (Node at = entity; at instanceof Element element; at = at.getParentNode()) {
      Optional<Instant> until = XmlValues.instant(element, "validUntil");
      earliest = until.isPresent() && earliest.filter(known -> !known.isAfter(until.get())).isEmpty() ? until : earliest;
    }
    return earliest;
  }
}
