package dev.gatehouse.common.saml;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.key.SigningKey;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.SamlWriter.PostForm;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.xml.crypto.dsig.CanonicalizationMethod;
import javax.xml.crypto.dsig.DigestMethod;
import javax.xml.crypto.dsig.Reference;
import javax.xml.crypto.dsig.Transform;
import javax.xml.crypto.dsig.XMLSignatureFactory;
import javax.xml.crypto.dsig.dom.DOMSignContext;
import javax.xml.crypto.dsig.keyinfo.KeyInfo;
import javax.xml.crypto.dsig.spec.C14NMethodParameterSpec;
import javax.xml.crypto.dsig.spec.TransformParameterSpec;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/** An attacker's tools: takes signed messages apart, and signs in its own ways with the JDK's XML Signature. */
final class Forgery {

  static final String ENVELOPED = Transform.ENVELOPED;
  static final String EXCLUSIVE = CanonicalizationMethod.EXCLUSIVE;
  static final String RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

  private static final SamlReader READER = new StrictSamlReader();

  private Forgery() {}

  /** Returns a valid Response about alice, as its writer creates it. */
  static String response(SamlWriter.Signed signed) {
    return response(SamlFixtures.response(Optional.of("_request-1")), signed);
  }

  static String response(SamlMessage.Response response, SamlWriter.Signed signed) {
    PostForm form =
        new CanonicalSamlWriter()
            .postResponse(response, SamlFixtures.SP_ACS, Optional.empty(), SamlFixtures.idpKey(), signed);
    return new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8);
  }

  /** Returns the same Response unsigned. */
  static String unsignedResponse() {
    return MessageElements.write(
        SamlFixtures.response(Optional.of("_request-1")), Optional.empty(), Optional.empty());
  }

  static Reading<ReceivedResponse> read(String xml) {
    return read(xml.getBytes(StandardCharsets.UTF_8));
  }

  static Reading<ReceivedResponse> read(byte[] xml) {
    return read(xml, SamlFixtures.idpMetadata());
  }

  static Reading<ReceivedResponse> read(byte[] xml, PartnerMetadata partner) {
    return READER.response(posted("SAMLResponse", xml), SamlFixtures.partners(partner));
  }

  static EdgeRequest posted(String parameter, byte[] xml) {
    String value = Base64.getEncoder().encodeToString(xml);
    return SamlFixtures.posted(new PostForm(SamlFixtures.SP_ACS, parameter, value, Optional.empty()));
  }

  static ReceivedResponse accepted(Reading<ReceivedResponse> reading) {
    return switch (reading) {
      case Reading.Accepted<ReceivedResponse>(var value) -> value;
      case Reading.Refused<ReceivedResponse>(var refusal) -> throw new AssertionError(refusal);
    };
  }

  static SamlRefusal refusal(Reading<?> reading) {
    return switch (reading) {
      case Reading.Accepted<?> accepted -> throw new AssertionError("accepted");
      case Reading.Refused<?>(SamlRefusal refusal) -> refusal;
    };
  }

  static Reason reason(Reading<?> reading) {
    return switch (reading) {
      case Reading.Accepted<?>(var value) -> throw new AssertionError("accepted: " + value);
      case Reading.Refused<?>(var refusal) -> refusal.reason();
    };
  }

  static Reason reason(String xml) {
    return reason(read(xml));
  }

  /** Returns the text with comments and CDATA, as a careless reader sees it. */
  static Document parse(String xml) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static String write(Node node) {
    try {
      Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      StringWriter out = new StringWriter();
      transformer.transform(new DOMSource(node), new StreamResult(out));
      return out.toString();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the first element of that name in document order. */
  static Element element(Node document, String localName) {
    Document owner = document instanceof Document d ? d : document.getOwnerDocument();
    return (Element) owner.getElementsByTagNameNS("*", localName).item(0);
  }

  /** Options of {@link #sign}; the defaults are the form that SAML allows. */
  static final class Recipe {
    Key key = SamlFixtures.idpKey().privateKey();
    String method = RSA_SHA256;
    String digest = DigestMethod.SHA256;
    String canonicalization = EXCLUSIVE;
    List<Transform> transforms = new ArrayList<>();
    Optional<String> uri = Optional.empty();
    int references = 1;
    @Nullable KeyInfo keyInfo = null;
    @Nullable String prefix = "ds";

    final XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");

    Recipe() {
      transforms.add(transform(ENVELOPED));
      transforms.add(transform(EXCLUSIVE));
    }

    Recipe key(SigningKey signingKey) {
      key = signingKey.privateKey();
      return this;
    }

    Recipe transforms(String... uris) {
      transforms = new ArrayList<>(List.of(uris).stream().map(this::transform).toList());
      return this;
    }

    Transform transform(String uri) {
      return transform(uri, null);
    }

    Transform transform(String uri, @Nullable TransformParameterSpec parameters) {
      try {
        return factory.newTransform(uri, parameters);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Signs the first element of that name, with the Signature after its Issuer, if it begins with one. */
  static String sign(String xml, String localName, Recipe recipe) {
    try {
      Document document = parse(xml);
      Element element = element(document, localName);
      XMLSignatureFactory factory = recipe.factory;
      String uri = recipe.uri.orElse("#" + element.getAttribute("ID"));
      List<Reference> references = new ArrayList<>();
      for (int i = 0; i < recipe.references; i++) {
        references.add(
            factory.newReference(
                uri, factory.newDigestMethod(recipe.digest, null), recipe.transforms, null, null));
      }
      var signedInfo =
          factory.newSignedInfo(
              factory.newCanonicalizationMethod(recipe.canonicalization, (C14NMethodParameterSpec) null),
              factory.newSignatureMethod(recipe.method, null),
              references);
      Node first = element.getFirstChild();
      Node behind = "Issuer".equals(first.getLocalName()) ? first.getNextSibling() : first;
      DOMSignContext context = new DOMSignContext(recipe.key, element, behind);
      context.setIdAttributeNS(element, null, "ID");
      context.setDefaultNamespacePrefix(recipe.prefix);
      context.setProperty("org.jcp.xml.dsig.secureValidation", false);
      factory.newXMLSignature(signedInfo, recipe.keyInfo).sign(context);
      return write(document);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static String replaceOnce(String text, String from, String to) {
    int at = text.indexOf(from);
    if (at < 0 || text.indexOf(from, at + 1) >= 0) {
      throw new IllegalArgumentException("not there exactly once: " + from);
    }
    return text.substring(0, at) + to + text.substring(at + from.length());
  }
}
