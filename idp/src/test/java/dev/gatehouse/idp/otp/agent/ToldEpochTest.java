package dev.gatehouse.idp.otp.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.client.TestClients;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Which epoch an answer to an agent tells. */
class ToldEpochTest {

  private static final RealmRequest REQUEST = TestClients.post(TestRealms.demo(), AgentEndpoint.PATH, Headers.empty());

  private final AtomicReference<OptionalLong> epoch = new AtomicReference<>(OptionalLong.of(1));

  @Test
  void aDecisionOfAPrimaryThatIsReplacedMeanwhileIsOfItsEpoch() {
    EdgeReply reply =
        AgentsConfig.telling(
                epoch::get,
                request -> {
                  epoch.set(OptionalLong.of(2));
                  return EdgeReply.noContent();
                })
            .handle(REQUEST);
    assertThat(reply.headers().first("Gatehouse-Epoch")).contains("1");
  }

  @Test
  void aNodeThatIsAloneTellsNone() {
    epoch.set(OptionalLong.empty());
    EdgeReply reply = AgentsConfig.telling(epoch::get, request -> EdgeReply.noContent()).handle(REQUEST);
    assertThat(reply.headers().first("Gatehouse-Epoch")).isEmpty();
  }
}
