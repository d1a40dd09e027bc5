package dev.gatehouse.perf.jmh;

import dev.gatehouse.common.key.KeyRing;
import dev.gatehouse.common.key.TokenKeyRing;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.oidc.JwsSigner;
import dev.gatehouse.idp.oidc.JwsVerifier;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread signs access tokens (RFC 9068), and reads those that come back: the signature is verified each time, where a node remembers what
 * it has verified.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = {"-XX:+UseCompactObjectHeaders", "-Xmx512m"})
public class TokenBenchmark {

  private static final String TYPE = "at+jwt";

  private static final byte[] CLAIMS =
      ("{\"iss\":\"http://idp.localhost:8080/realms/demo\",\"sub\":\"c3ViamVjdC1vZi1hLXBlcnNvbi1hdC1hLWNsaWVudA\",\"aud\":"
              + "\"http://idp.localhost:8080/realms/demo\",\"client_id\":\"bench-es256\",\"scope\":\"openid profile\",\"iat\":1767268800,"
              + "\"exp\":1767272400,\"jti\":\"5n1Q1w8rDkKf0mF7b3n5xw.7C2Zs0yO4m3sW1o0q9cX5A\",\"auth_time\":1767268790}")
          .getBytes(StandardCharsets.UTF_8);

  @Param({"ACCP", "JDK"})
  public Provider provider = Provider.ACCP;

  @Param({"RS256", "ES256"})
  public JwsName algorithm = JwsName.ES256;

  private final Realm realm = TestRealms.demo();
  private final KeyRing keys = new TokenKeyRing();
  private JwsSigner signer = new JwsSigner(each -> keys);
  private JwsVerifier verifier = new JwsVerifier(each -> keys);
  private String token = "";

  /** Signatures are made by the provider that was installed when they were first needed. */
  @Setup
  public void prepare() {
    provider.install();
    signer = new JwsSigner(each -> keys);
    verifier = new JwsVerifier(each -> keys);
    token = issue();
    verify();
  }

  @Benchmark
  public String issue() {
    return signer.sign(realm, algorithm, TYPE, CLAIMS);
  }

  @Benchmark
  public byte[] verify() {
    return verifier.read(realm, TYPE, token).orElseThrow();
  }
}
