package dev.gatehouse.gateway.fill;

/** The reason why a form that looks like the login form was not filled, or why a fill failed. Written to the log. */
public enum FormFillReason {
  /** The form is submitted to another host, because of its action or the page's base. */
  ACTION_ELSEWHERE,
  /** The form is submitted to a path of the app other than the configured one. */
  ACTION_UNEXPECTED,
  /** The form would put the secrets into a URL. */
  METHOD_GET,
  /** The form's encoding is not supported. */
  ENCODING,
  /** Several forms of the page match. */
  FORM_AMBIGUOUS,
  /** A control that must be filled occurs several times. */
  FIELD_TWICE,
  /** The password would be put into a control that is visible or hidden, not into a password control. */
  NO_PASSWORD_CONTROL,
  /** An attribute of the person does not have exactly one value. */
  ATTRIBUTE_MISSING,
  /** The page lacks a control that the configuration names. */
  CONTROL_MISSING,
  /** The form returned after it was submitted, or the response shows a failure. */
  NOT_ACCEPTED,
  /** The form was filled too often in this session. */
  TOO_OFTEN
}
