package dev.gatehouse.idp.saml.slo;

/** The logout and participant to which a LogoutRequest of ours was sent. */
record LogoutParticipantRef(String logout, int target) {}
