package dev.gatehouse.common.key;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority that issues certificates to people, created for a test. */
public final class PeopleCa {

  private static final AtomicLong SERIALS = new AtomicLong(1000);

  /** A certificate and its key. */
  public record Issued(X509Certificate certificate, PrivateKey privateKey) {}

  /** The content of a certificate; {@link #of} returns that of a person who may log in with it. */
  public record CertificateSpec(
      String subject, GeneralName[] names, KeyPurposeId purpose, Duration age, Duration life, boolean isAuthority) {
    public static CertificateSpec of(String subject, GeneralName... names) {
      return new CertificateSpec(subject, names, KeyPurposeId.id_kp_clientAuth, Duration.ofDays(1), Duration.ofDays(30), false);
    }

    public CertificateSpec purpose(KeyPurposeId other) {
      return new CertificateSpec(subject, names, other, age, life, isAuthority);
    }

    /** Creates a subordinate authority. */
    public CertificateSpec authority() {
      return new CertificateSpec(subject, names, purpose, age, life, true);
    }

    /** @param from since when; negative for the future */
    public CertificateSpec valid(Duration from, Duration during) {
      return new CertificateSpec(subject, names, purpose, from, during, isAuthority);
    }
  }

  private final Instant now;
  private final X500Name name;
  private final KeyPair keys;
  private final X509Certificate certificate;

  private PeopleCa(Instant now, String name, KeyPair keys, X509Certificate certificate) {
    this.now = now;
    this.name = new X500Name(name);
    this.keys = keys;
    this.certificate = certificate;
  }

  public static PeopleCa create(String name, Instant now) {
    KeyPair keys = keyPair();
    X500Name subject = new X500Name(name);
    CertificateSpec self = new CertificateSpec(name, new GeneralName[0], KeyPurposeId.id_kp_clientAuth, Duration.ofDays(100), Duration.ofDays(4000), true);
    return new PeopleCa(now, name, keys, issue(self, now, subject, keys.getPrivate(), keys));
  }

  public X509Certificate certificate() {
    return certificate;
  }

  public Issued issue(CertificateSpec spec) {
    KeyPair pair = keyPair();
    return new Issued(issue(spec, now, name, keys.getPrivate(), pair), pair.getPrivate());
  }

  /** Creates a certificate signed with the key of any certificate, authority or not. */
  public Issued issueBy(Issued issuer, CertificateSpec spec) {
    KeyPair pair = keyPair();
    X500Name issuerName = new X500Name(issuer.certificate().getSubjectX500Principal().getName());
    return new Issued(issue(spec, now, issuerName, issuer.privateKey(), pair), pair.getPrivate());
  }

  /** Returns its revocation list, valid for a day. */
  public X509CRL revoked(X509Certificate... revoked) {
    return revoked(now.plus(Duration.ofDays(1)), revoked);
  }

  public X509CRL revoked(Instant nextUpdate, X509Certificate... revoked) {
    try {
      X509v2CRLBuilder builder = new X509v2CRLBuilder(name, Date.from(nextUpdate.minus(Duration.ofDays(2))));
      builder.setNextUpdate(Date.from(nextUpdate));
      for (X509Certificate gone : revoked) {
        builder.addCRLEntry(gone.getSerialNumber(), Date.from(now.minusSeconds(60)), CRLReason.keyCompromise);
      }
      return new JcaX509CRLConverter().getCRL(builder.build(signer(keys.getPrivate())));
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Microsoft's name of a person, as an alternative name. */
  public static GeneralName upn(String value) {
    return new GeneralName(
        GeneralName.otherName,
        new DERSequence(
            new org.bouncycastle.asn1.ASN1Encodable[] {
              new ASN1ObjectIdentifier("1.3.6.1.4.1.311.20.2.3"), new DERTaggedObject(true, 0, new DERUTF8String(value))
            }));
  }

  public static GeneralName host(String name) {
    return new GeneralName(GeneralName.dNSName, name);
  }

  public static GeneralName address(String literal) {
    return new GeneralName(GeneralName.iPAddress, literal);
  }

  public static GeneralName mail(String value) {
    return new GeneralName(GeneralName.rfc822Name, value);
  }

  public static String pem(String type, byte[] content) {
    return "-----BEGIN " + type + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
        + "\n-----END " + type + "-----\n";
  }

  private static X509Certificate issue(CertificateSpec spec, Instant now, X500Name issuer, PrivateKey key, KeyPair subjectKeys) {
    try {
      Instant from = now.minus(spec.age());
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              BigInteger.valueOf(SERIALS.incrementAndGet()),
              Date.from(from),
              Date.from(from.plus(spec.life())),
              new X500Name(spec.subject()),
              subjectKeys.getPublic());
      if (spec.isAuthority()) {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      } else {
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(spec.purpose()));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      }
      if (spec.names().length > 0) {
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(spec.names()));
      }
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key)));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ContentSigner signer(PrivateKey key) throws OperatorCreationException {
    return new JcaContentSignerBuilder("SHA256withECDSA").build(key);
  }

  private static KeyPair keyPair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
