package dev.gatehouse.common.saml.xml;

/** The namespaces of SAML documents, each with the one prefix that we write. */
public enum XmlNamespace {
  SAML("saml2", "urn:oasis:names:tc:SAML:2.0:assertion"),
  SAMLP("saml2p", "urn:oasis:names:tc:SAML:2.0:protocol"),
  MD("md", "urn:oasis:names:tc:SAML:2.0:metadata"),
  MDUI("mdui", "urn:oasis:names:tc:SAML:metadata:ui"),
  ALG("alg", "urn:oasis:names:tc:SAML:metadata:algsupport"),
  SHIBMD("shibmd", "urn:mace:shibboleth:metadata:1.0"),
  DS("ds", "http://www.w3.org/2000/09/xmldsig#"),
  XENC("xenc", "http://www.w3.org/2001/04/xmlenc#"),
  XENC11("xenc11", "http://www.w3.org/2009/xmlenc11#"),
  SOAP11("soap11", "http://schemas.xmlsoap.org/soap/envelope/");

  public static final String XML = "http://www.w3.org/XML/1998/namespace";
  static final String XMLNS = "http://www.w3.org/2000/xmlns/";

  private final String prefix;
  private final String uri;

  XmlNamespace(String prefix, String uri) {
    this.prefix = prefix;
    this.uri = uri;
  }

  public String prefix() {
    return prefix;
  }

  public String uri() {
    return uri;
  }
}
