package dev.gatehouse.common.saml.xml;

/** Ends the reading of a document that is not plain, see {@link PlainXml}. */
final class NotPlain extends RuntimeException {

  static final NotPlain INSTANCE = new NotPlain();

  private static final long serialVersionUID = 1;

  private NotPlain() {
    super("not plain", null, false, false);
  }
}
