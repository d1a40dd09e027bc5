package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
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
public final class Forgery {

  public static final String ENVELOPED = Transform.ENVELOPED;
  public static final String EXCLUSIVE = CanonicalizationMethod.EXCLUSIVE;
  public static final String RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

  private static final SamlReader READER = new StrictSamlReader();

  private Forgery() {}

  /** Returns a valid Response about alice, as its writer creates it. */
  public static String response(SamlWriter.Signed signed) {
    return response(SamlFixtures.response(Optional.of("_request-1")), signed);
  }

  public static String response(SamlMessage.Response response, SamlWriter.Signed signed) {
    PostForm form =
        new CanonicalSamlWriter()
            .postResponse(response, SamlFixtures.SP_ACS, Optional.empty(), SamlFixtures.idpKey(), signed);
    return new String(Base64.getDecoder().decode(form.value()), StandardCharsets.UTF_8);
  }

  /** Returns the same Response unsigned. */
  public static String unsignedResponse() {
    return unsigned(SamlFixtures.response(Optional.of("_request-1")));
  }

  public static String unsigned(SamlMessage message) {
    return MessageElements.write(message, Optional.empty(), Optional.empty());
  }

  public static Result<ReceivedResponse, SamlRefusal> read(String xml) {
    return read(xml.getBytes(StandardCharsets.UTF_8));
  }

  public static Result<ReceivedResponse, SamlRefusal> read(byte[] xml) {
    return read(xml, SamlFixtures.idpMetadata());
  }

  public static Result<ReceivedResponse, SamlRefusal> read(byte[] xml, PartnerMetadata partner) {
    return READER.response(posted("SAMLResponse", xml), SamlFixtures.partners(partner));
  }

  public static EdgeRequest posted(String parameter, byte[] xml) {
    String value = Base64.getEncoder().encodeToString(xml);
    return SamlFixtures.posted(new PostForm(SamlFixtures.SP_ACS, parameter, value, Optional.empty()));
  }

  public static ReceivedResponse accepted(Result<ReceivedResponse, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(var value) -> value;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  public static SamlRefusal refusal(Result<?, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted<?, SamlRefusal> accepted -> throw new AssertionError("accepted");
      case Result.Refused(SamlRefusal refusal) -> refusal;
    };
  }

  public static Reason reason(Result<?, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(var value) -> throw new AssertionError("accepted: " + value);
      case Result.Refused(var refusal) -> refusal.reason();
    };
  }

  public static Reason reason(String xml) {
    return reason(read(xml));
  }

  /** Returns the text with comments and CDATA, as a careless reader sees it. */
  public static Document parse(String xml) {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
      return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static String write(Node node) {
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
  public static Element element(Node document, String localName) {
    Document owner = document instanceof Document d ? d : document.getOwnerDocument();
    return (Element) owner.getElementsByTagNameNS("*", localName).item(0);
  }

  /** Options of {@link #sign}; the defaults are the form that SAML allows. */
  public static final class Recipe {
    public Key key = SamlFixtures.idpKey().privateKey();
    public String method = RSA_SHA256;
    public String digest = DigestMethod.SHA256;
    public String canonicalization = EXCLUSIVE;
    public List<Transform> transforms = new ArrayList<>();
    public Optional<String> uri = Optional.empty();
    public int references = 1;
    public @Nullable KeyInfo keyInfo = null;
    public @Nullable String prefix = "ds";

    public final XMLSignatureFactory factory = XMLSignatureFactory.getInstance("DOM");

    public Recipe() {
      transforms.add(transform(ENVELOPED));
      transforms.add(transform(EXCLUSIVE));
    }

    public Recipe key(SigningKey signingKey) {
      key = signingKey.privateKey();
      return this;
    }

    public Recipe transforms(String... uris) {
      transforms = new ArrayList<>(List.of(uris).stream().map(this::transform).toList());
      return this;
    }

    public Transform transform(String uri) {
      return transform(uri, null);
    }

    public Transform transform(String uri, @Nullable TransformParameterSpec parameters) {
      try {
        return factory.newTransform(uri, parameters);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Signs the first element of that name, with the Signature after its Issuer, if it begins with one. */
  public static String sign(String xml, String localName, Recipe recipe) {
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

  public static String replaceOnce(String text, String from, String to) {
    int at = text.indexOf(from);
    if (at < 0 || text.indexOf(from, at + 1) >= 0) {
      throw new IllegalArgumentException("not there exactly once: " + from);
    }
    return text.substring(0, at) + to + text.substring(at + from.length());
  }
}
