package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import org.junit.jupiter.api.Test;

final class ResponseByPostTest extends ResponseAttackContract {

  ResponseByPostTest() {
    super(SpWorld.Delivery.POST);
  }

  @Override
  Reason strangeIssuer() {
    return Reason.PARTNER_UNKNOWN;
  }

  /** By POST only: what is saved does not depend on how it came, and a thousand artifacts take half a minute. */
  @Test
  void whatIsSavedIsBoundedPerAddressWhoseOldestGivesWay() {
    TestBrowser attacker = new TestBrowser(world, "198.51.100.66");
    EdgeReply mine = browser.submitFromElsewhere(another());
    EdgeReply oldest = attacker.submitFromElsewhere(another());
    for (int i = 0; i < 1000; i++) {
      assertThat(attacker.submitFromElsewhere(another()).status()).isEqualTo(303);
    }

    assertThat(attacker.follow(oldest).status()).as("gone").isEqualTo(403);
    assertThat(world.refusals()).isEmpty();
    assertThat(SpWorld.location(browser.follow(mine))).as("another address").hasToString(SpWorld.HOME + "/here");
  }
}
