package dev.gatehouse.common.saml.signature;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_ALGORITHM;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_INVALID;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_MALFORMED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_REFERENCE;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SIGNATURE_TRANSFORM;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.xml.security.c14n.CanonicalizationException;
import org.apache.xml.security.c14n.implementations.Canonicalizer20010315ExclOmitComments;
import org.apache.xml.security.utils.UnsyncByteArrayOutputStream;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;

/**
 * The one form of XML Signature that SAML allows (SAML Core 5.4): a {@code ds:Signature} inside the element that it
 * signs, one Reference to that element's ID, the transforms enveloped-signature and exclusive canonicalisation.
 *
 * <p>References in the signature are never followed: the Reference must name the element that the caller is about to read, and
 * the canonical form of exactly that element is digested. There is no resolver and no other node that could have been signed
 * instead. KeyInfo is ignored (keys come from metadata).
 */
public final class EnvelopedSignature {

  private static final String EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
  private static final String ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
  private static final String INCLUSIVE_NAMESPACES = "InclusiveNamespaces";
  private static final int MAX_PREFIXES = 500;

  private static final Map<String, String> DIGESTS =
      Map.of(
          "http://www.w3.org/2001/04/xmlenc#sha256", "SHA-256",
          "http://www.w3.org/2001/04/xmldsig-more#sha384", "SHA-384",
          "http://www.w3.org/2001/04/xmlenc#sha512", "SHA-512");

  /** The accepted digests, in order of preference. */
  public static final List<String> DIGEST_METHODS =
      List.of(
          "http://www.w3.org/2001/04/xmlenc#sha256",
          "http://www.w3.org/2001/04/xmldsig-more#sha384",
          "http://www.w3.org/2001/04/xmlenc#sha512");

  private final Element signature;
  private final Element signedInfo;
  private final SignatureAlgorithm algorithm;
  private final String signedInfoPrefixes;
  private final String contentPrefixes;
  private final String digest;
  private final byte[] digestValue;
  private final byte[] signatureValue;

  private EnvelopedSignature(Element signature, Element signed) {
    this.signature = signature;
    // KeyInfo is ignored: partners' keys are those of their metadata.
    List<Element> parts = parts(signature, Optional.of("KeyInfo"), "SignedInfo", "SignatureValue");
    this.signedInfo = parts.get(0);
    this.signatureValue = bytes(parts.get(1));

    List<Element> info = parts(signedInfo, Optional.of("Reference"), "CanonicalizationMethod", "SignatureMethod");
    this.signedInfoPrefixes = exclusive(info.get(0));
    if (Dom.hasElements(info.get(1))) {
      throw new MessageRefused(SIGNATURE_ALGORITHM, "parameters of the signature method");
    }
    this.algorithm = SignatureAlgorithm.offered(algorithm(info.get(1)));
    if (info.size() != 3) {
      throw new MessageRefused(SIGNATURE_REFERENCE, (info.size() - 2) + " References");
    }

    Element reference = info.get(2);
    checkReference(reference, signed);
    List<Element> referenceParts = parts(reference, Optional.empty(), "Transforms", "DigestMethod", "DigestValue");
    this.contentPrefixes = transforms(referenceParts.get(0));
    @Nullable String digestName = DIGESTS.get(algorithm(referenceParts.get(1)));
    if (digestName == null || Dom.hasElements(referenceParts.get(1))) {
      throw new MessageRefused(SIGNATURE_ALGORITHM, "the digest method " + algorithm(referenceParts.get(1)) + " is not offered");
    }
    this.digest = digestName;
    this.digestValue = bytes(referenceParts.get(2));
  }

  /**
   * Returns the signature at its schema position in the element, unverified; throws {@link MessageRefused} if it is malformed.
   */
  public static Optional<EnvelopedSignature> of(Element signed) {
    return Dom.child(signed, XmlNamespace.DS, "Signature").map(signature -> new EnvelopedSignature(signature, signed));
  }

  /**
   * Verifies with any of the keys, or throws {@link MessageRefused}. Afterwards the element's content is the partner's statement.
   */
  public void verify(Element signed, List<PublicKey> keys) {
    List<PublicKey> fitting = algorithm.fitting(keys);
    byte[] content = canonical(signed, contentPrefixes, signature);
    if (!MessageDigest.isEqual(digestValue, Crypto.digest(digest, content))) {
      throw new MessageRefused(SIGNATURE_INVALID, "the digest of " + Dom.name(signed) + " differs");
    }
    byte[] octets = canonical(signedInfo, signedInfoPrefixes, null);
    if (fitting.stream().noneMatch(key -> Crypto.verifies(algorithm, key, octets, signatureValue))) {
      throw new MessageRefused(SIGNATURE_INVALID, "no key of the metadata has signed " + Dom.name(signed));
    }
  }

  private static void checkReference(Element reference, Element signed) {
    String id =
        Dom.attribute(signed, "ID")
            .filter(value -> !value.isEmpty())
            .orElseThrow(() -> new MessageRefused(SIGNATURE_REFERENCE, "the signed element has no ID"));
    if (Dom.attribute(reference, "URI").filter(uri -> uri.equals("#" + id)).isEmpty()) {
      throw new MessageRefused(SIGNATURE_REFERENCE, "the Reference is not to the element around the Signature");
    }
  }

  private static String transforms(Element transforms) {
    List<Element> steps = Dom.children(transforms);
    boolean twoSteps =
        steps.size() == 2 && steps.stream().allMatch(step -> Dom.is(step, XmlNamespace.DS, "Transform"));
    if (!twoSteps || !algorithm(steps.get(0)).equals(ENVELOPED) || Dom.hasElements(steps.get(0))) {
      throw new MessageRefused(
          SIGNATURE_TRANSFORM,
          "transforms other than enveloped-signature and exclusive canonicalisation, in that order");
    }
    return exclusive(steps.get(1));
  }

  /**
   * Returns the prefixes of InclusiveNamespaces of an exclusive canonicalisation (Exclusive XML Canonicalization, section 4).
   */
  private static String exclusive(Element method) {
    if (!algorithm(method).equals(EXCLUSIVE_C14N)) {
      throw new MessageRefused(SIGNATURE_TRANSFORM, "a canonicalisation other than exclusive without comments");
    }
    List<Element> parameters = Dom.children(method);
    if (parameters.isEmpty()) {
      return "";
    }
    Element first = parameters.getFirst();
    boolean known =
        EXCLUSIVE_C14N.equals(first.getNamespaceURI()) && INCLUSIVE_NAMESPACES.equals(first.getLocalName());
    String prefixes = Dom.attribute(first, "PrefixList").orElse("");
    if (parameters.size() != 1 || !known || Dom.hasElements(first) || prefixes.length() > MAX_PREFIXES) {
      throw new MessageRefused(SIGNATURE_TRANSFORM, "unknown parameters of a canonicalisation");
    }
    return prefixes;
  }

  /** Returns the children, which must have exactly these names in this order; the named last one may be repeated or absent. */
  private static List<Element> parts(Element parent, Optional<String> followed, String... names) {
    List<Element> children = Dom.children(parent);
    boolean fits = children.size() >= names.length;
    for (int i = 0; fits && i < children.size(); i++) {
      Optional<String> name = i < names.length ? Optional.of(names[i]) : followed;
      Element child = children.get(i);
      fits = name.isPresent() && Dom.is(child, XmlNamespace.DS, name.get());
    }
    if (!fits) {
      throw new MessageRefused(SIGNATURE_MALFORMED, "unexpected content of " + Dom.name(parent));
    }
    return children;
  }

  private static String algorithm(Element method) {
    return Dom.attribute(method, "Algorithm").orElse("");
  }

  private static byte[] bytes(Element element) {
    if (Dom.hasElements(element)) {
      throw new MessageRefused(SIGNATURE_MALFORMED, "elements inside " + Dom.name(element));
    }
    return XmlValues.wrappedBase64(Dom.text(element))
        .orElseThrow(() -> new MessageRefused(SIGNATURE_MALFORMED, Dom.name(element) + " is not base64"));
  }

  private static byte[] canonical(Element element, String prefixes, @Nullable Element without) {
    // It is written one byte at a time, and the JDK's stream takes its lock for each.
    UnsyncByteArrayOutputStream out = new UnsyncByteArrayOutputStream();
    try {
      new Canonicalizer20010315ExclOmitComments().engineCanonicalizeSubTree(element, prefixes, without, out);
    } catch (CanonicalizationException e) {
      throw new MessageRefused(SIGNATURE_MALFORMED, "cannot be canonicalised");
    }
    return out.toByteArray();
  }
}
