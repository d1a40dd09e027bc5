package dev.gatehouse.gateway.node;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * The column families that the stores of a node use. A new database gets them at once; a store that is missing here creates its own,
 * which takes longer with each family that is already there.
 */
public final class StoreFamilies {

  private static final List<String> OF_EVERY_NODE = List.of("life", "replay");

  private static final List<String> OF_APPS =
      List.of(
          "due.sp-logout-notices",
          "sessions.app",
          "sessions.app-alias",
          "sessions.app-password",
          "sessions.sp-logout-marks",
          "single-use.sp-artifact",
          "single-use.sp-id-tokens",
          "single-use.sp-landed-login",
          "single-use.sp-linking",
          "single-use.sp-logout",
          "single-use.sp-nameid",
          "single-use.sp-oidc-logout",
          "single-use.sp-parked",
          "single-use.sp-parked-login",
          "single-use.sp-parked-memo",
          "single-use.sp-pending",
          "single-use.sp-post",
          "single-use.sp-test-login",
          "single-use.sp-ticket");

  private static final List<String> OF_IDP =
      List.of(
          "due.idp-logout-notices",
          "due.idp-password-ends",
          "journal.otp-uses",
          "sessions.idp-sessions",
          "sessions.oauth-authorizations",
          "single-use.idp-artifacts",
          "single-use.idp-certificate-tickets",
          "single-use.idp-first-steps",
          "single-use.idp-known-devices",
          "single-use.idp-logout-outcomes",
          "single-use.idp-logout-requests",
          "single-use.idp-logouts",
          "single-use.idp-nameid",
          "single-use.idp-otp-challenges",
          "single-use.idp-otp-enrolments",
          "single-use.idp-otp-homes",
          "single-use.idp-password-release",
          "single-use.idp-password-tasks",
          "single-use.idp-totp-enrolments",
          "single-use.oauth-access-tokens",
          "single-use.oauth-codes",
          "single-use.oauth-device-answers",
          "single-use.oauth-device-requests",
          "single-use.oauth-device-user-codes",
          "single-use.oauth-pushed-answered",
          "single-use.oauth-pushed-requests",
          "single-use.oauth-revoked");

  private StoreFamilies() {}

  /** Returns the families of a node with these roles. */
  public static List<String> of(Node node) {
    List<String> families = new ArrayList<>(OF_EVERY_NODE);
    if (node.roles().contains(Role.SP) || node.roles().contains(Role.GATEWAY)) {
      families.addAll(OF_APPS);
    }
    if (node.roles().contains(Role.IDP)) {
      families.addAll(OF_IDP);
    }
    return families;
  }
}
