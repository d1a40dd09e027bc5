package dev.gatehouse.gateway.fuzz;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gatehouse.common.fuzz.Fuzzing;
import dev.gatehouse.gateway.message.ChunkedBodyFuzz;
import dev.gatehouse.gateway.message.RequestHeadFuzz;
import dev.gatehouse.gateway.message.ResponseHeadFuzz;
import dev.gatehouse.gateway.route.AuthorityFuzz;
import dev.gatehouse.gateway.route.RequestPathFuzz;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients and apps send, byte by byte, for a moment; {@code ./gatehouse fuzz} takes longer. */
class FuzzTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        AuthorityFuzz.class,
        ChunkedBodyFuzz.class,
        RequestHeadFuzz.class,
        RequestPathFuzz.class,
        ResponseHeadFuzz.class,
      })
  void fuzz(Class<?> target) throws IOException, InterruptedException {
    assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
    Fuzzing.run(target);
  }
}
