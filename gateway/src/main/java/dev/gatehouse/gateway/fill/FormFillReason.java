package dev.gatehouse.gateway.fill;

/** Why a form that looks like the login form is not filled, or what came of filling it. Written to the log. */
public enum FormFillReason {
  /** It is sent to another host, by its action or by the page's base. */
  ACTION_ELSEWHERE,
  /** It is sent to a path of the app that is not the configured one. */
  ACTION_UNEXPECTED,
  /** It would put the secrets into an address. */
  METHOD_GET,
  /** Its encoding is none that we write. */
  ENCODING,
  /** More than one form of the page fits. */
  FORM_AMBIGUOUS,
  /** A control that is to be filled is there more than once. */
  FIELD_TWICE,
  /** The password would go into a control that shows what is typed, or stands hidden in the page. */
  NO_PASSWORD_CONTROL,
  /** An attribute of the person's has not exactly one value. */
  ATTRIBUTE_MISSING,
  /** A control of the page that the configuration names is not there. */
  CONTROL_MISSING,
  /** The form came again after it was sent, or the answer has a sign of failure. */
  NOT_ACCEPTED,
  /** It was filled too often in this session. */
  TOO_OFTEN
}
