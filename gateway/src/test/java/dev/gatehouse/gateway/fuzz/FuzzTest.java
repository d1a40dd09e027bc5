package dev.gatehouse.gateway.fuzz;

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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What clients, apps and OpenID providers send, for a moment; {@code ./gatehouse fuzz} takes longer. */
class FuzzTest {

  private static final List<Class<?>> TARGETS =
      List.of(
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
          ResponseHeadFuzz.class);

  @TestFactory
  Stream<DynamicTest> targets() {
    return Fuzzing.tests(TARGETS);
  }
}
