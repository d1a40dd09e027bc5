package dev.gatehouse.common.saml;

import dev.gatehouse.common.result.Result;

/**
 * Aborts the reading of a document once it is refused. It never leaves the packages of SAML: the public readers turn it into a {@link
 * Result.Refused}.
 */
public final class MessageRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient SamlRefusal refusal;

  /** Has no stack trace, because anybody may send refused messages as often as they like. */
  public MessageRefused(SamlRefusal.Reason reason, String detail) {
    super(detail, null, false, false);
    this.refusal = new SamlRefusal(reason, detail);
  }

  public SamlRefusal refusal() {
    return refusal;
  }
}
