package dev.gatehouse.common.saml;

/**
 * Unwinds the reading of a document once it is refused. Never leaves this package: the public readers turn it into a
 * {@link Reading.Refused}.
 */
final class MessageRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient SamlRefusal refusal;

  /** Without a stack trace: anyone may send what is refused, and as often as they like. */
  MessageRefused(SamlRefusal.Reason reason, String detail) {
    super(detail, null, false, false);
    this.refusal = new SamlRefusal(reason, detail);
  }

  SamlRefusal refusal() {
    return refusal;
  }
}
