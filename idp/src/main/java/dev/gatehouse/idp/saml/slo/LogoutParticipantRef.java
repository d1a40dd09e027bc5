package dev.gatehouse.idp.saml.slo;

/** Which participant of which logout a LogoutRequest of ours went to. */
record LogoutParticipantRef(String logout, int target) {}
