package dev.gatehouse.gateway.fuzz;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gatehouse.common.fuzz.Fuzzing;
import dev.gatehouse.gateway.accesslog.LineFormatFuzz;
import dev.gatehouse.gateway.bearer.AccessTokenFuzz;
import dev.gatehouse.gateway.cache.CacheControlFuzz;
import dev.gatehouse.gateway.message.ChunkedBodyFuzz;
import dev.gatehouse.gateway.message.Http2HeadFuzz;
import dev.gatehouse.gateway.message.RequestHeadFuzz;
import dev.gatehouse.gateway.message.ResponseHeadFuzz;
import dev.gatehouse.gateway.forwardauth.ForwardAuthRequestFuzz;
import dev.gatehouse.gateway.route.AuthorityFuzz;
import dev.gatehouse.gateway.route.RequestPathFuzz;
import dev.gatehouse.sp.idtoken.IdTokenFuzz;
import dev.gatehouse.sp.provider.ProviderMetadataFuzz;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients, apps and OpenID providers send, for a moment; {@code ./gatehouse fuzz} takes longer. */
class FuzzTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        AccessTokenFuzz.class,
        AuthorityFuzz.class,
        CacheControlFuzz.class,
        ChunkedBodyFuzz.class,
        Http2HeadFuzz.class,
        ForwardAuthRequestFuzz.class,
        IdTokenFuzz.class,
        LineFormatFuzz.class,
        ProviderMetadataFuzz.class,
        RequestHeadFuzz.class,
        RequestPathFuzz.class,
        ResponseHeadFuzz.class,
      })
  void fuzz(Class<?> target) throws IOException, InterruptedException {
    assumeFalse(Fuzzing.isLeftOut(target), "another target was asked for");
    Fuzzing.run(target);
  }
}
