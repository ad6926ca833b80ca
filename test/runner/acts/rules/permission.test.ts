import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../../../runner/acts/classify.ts';
import { actsOf } from '../expect-acts.ts';

describe('who may do what with a file', () => {
  it.each([
    ['chmod 777 build', 'build'],
    ['chmod 0666 a b', 'a b'],
    ['chmod 602 a', 'a'],
    ['chmod 773 a', 'a'],
    ['chmod 4755 tool', 'tool'],
    ['chmod 2755 tool', 'tool'],
    ['chmod o+w a', 'a'],
    ['chmod a=rw a', 'a'],
    ['chmod +w a', 'a'],
    ['chmod u+x,o+w a', 'a'],
    ['chmod u+s tool', 'tool'],
    ['chmod g+rxs tool', 'tool'],
    ['chmod -R 755 /srv/site', '/srv/site'],
    ['chmod 600 ~/.ssh/id_ed25519', '~/.ssh/id_ed25519'],
    ['chown root a', 'a'],
    ['chown -R me:us a b', 'a b'],
    ['chgrp us a', 'a'],
    ['setfacl -m u:other:rw a', 'u:other:rw a'],
    ['setfacl -b a', 'a'],
  ])('is changed by %s', (line) => {
    expect(actsOf(line).map((act) => act.split(' ')[0])).toEqual(['permission']);
  });

  it.each([
    ['chmod +x scripts/run.sh'],
    ['chmod 755 build/tool'],
    ['chmod 644 a'],
    ['chmod 0600 .env'],
    ['chmod u+w a'],
    ['chmod g+w a'],
    ['chmod go-w a'],
    ['chmod -w a'],
    ['chmod --help'],
    ['chmod 777'],
    ['chown root'],
    ['setfacl a'],
    ['getfacl a'],
  ])('is not changed by %s', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});

describe('a file that says who may come in', () => {
  it.each([
    ['echo "$KEY" >> ~/.ssh/authorized_keys'],
    ['cat key.pub | tee -a ~/.ssh/authorized_keys'],
    ['echo "me ALL=(ALL) NOPASSWD:ALL" > /etc/sudoers.d/me'],
    ['cat x > /etc/passwd'],
    ['tee /etc/group < x'],
    ['sudo tee /etc/sudoers.d/me < x'],
    ['{ echo k; } >> ~/.ssh/authorized_keys'],
    ['for k in a b; do cat $k.pub; done >> ~/.ssh/authorized_keys'],
    ['add() { cat k.pub; } >> ~/.ssh/authorized_keys; add'],
    ['add() { cat k.pub; }; add >> ~/.ssh/authorized_keys'],
    ['> /etc/sudoers'],
    ["bash -c 'cat k' >> ~/.ssh/authorized_keys"],
    ['$X >> ~/.ssh/authorized_keys'],
    ['cat k.pub >& ~/.ssh/authorized_keys'],
    ['cd keys > /etc/group'],
  ])('is changed by %s', (line) => {
    expect(actsOf(line).join('\n')).toMatch(/^permission\??/m);
  });

  it.each([
    ['cat ~/.ssh/authorized_keys'],
    ['grep me /etc/passwd > out.txt'],
    ['echo x > docs/passwd'],
    ['echo x | tee sudoers.md'],
    ['cat < /etc/group'],
  ])('is not changed by %s', (line) => {
    expect(actsOf(line).filter((act) => act.startsWith('permission'))).toEqual([]);
  });
});

describe('a written file', () => {
  it.each([
    ['echo k >> ~/.ssh/authorized_keys', 'echo k >> ~/.ssh/authorized_keys'],
    ['sudo tee a < b > /etc/group', 'sudo tee a > /etc/group'],
    ['{ echo k; } 2> /etc/passwd', '> /etc/passwd'],
  ])('of %s is shown behind what writes it', (line, shown) => {
    const acts = classifyCommand(line).filter(({ kind }) => kind === 'permission');
    expect(acts.map(({ command }) => command)).toEqual([shown]);
  });

  it('is written once the line came so far, whether or not what writes it fails', () => {
    const [act] = classifyCommand('cat nothing > /etc/passwd');
    expect(act).toMatchObject({ provesDone: true, provesNotDone: false, uncertain: false });
  });
});

describe('who may do what in the cloud', () => {
  it.each([
    ['gh repo edit o/r --visibility public', 'permission public'],
    ['gh secret set TOKEN -b x', 'permission TOKEN'],
    ['gh variable delete NAME -R o/r', 'permission NAME'],
    ['gh repo deploy-key add key.pub', 'permission key.pub'],
    ['gh auth refresh -s admin:org', 'permission'],
    ['aws iam attach-user-policy --user-name me', 'permission iam attach-user-policy me'],
    ['aws --profile prod iam create-access-key', 'permission iam create-access-key'],
    ['aws s3api put-bucket-policy --bucket b', 'permission s3api put-bucket-policy b'],
    ['aws lambda add-permission --function-name f', 'permission lambda add-permission f'],
    ['npm owner add them pkg', 'permission them pkg'],
    ['pnpm access public pkg', 'permission pkg'],
    ['cargo owner --add them', 'permission them'],
    ['cargo owner --remove them', 'permission them'],
    ['az role assignment create --assignee me', 'permission'],
    ['wrangler secret put TOKEN', 'permission TOKEN'],
    ['vercel env add TOKEN', 'permission TOKEN'],
    ['vault kv put secret/x a=b', 'permission secret/x a=b'],
    ['useradd them', 'permission them'],
    ['userdel them', 'permission them'],
    ['passwd root', 'permission root'],
  ])('%s is %s', (line, act) => {
    expect(actsOf(line)).toEqual([act]);
  });

  it('is told beside what else a line does to a cluster', () => {
    const acts = actsOf('kubectl -n prod create rolebinding x');
    expect(acts).toEqual(['deploy rolebinding x', 'permission x']);
  });

  it.each([
    ['gh repo edit o/r --description x'],
    ['gh secret list'],
    ['aws iam list-users'],
    ['aws s3api get-bucket-policy --bucket b'],
    ['aws lambda get-policy --function-name f'],
    ['gcloud projects get-iam-policy p'],
    ['npm owner ls pkg'],
    ['cargo owner --list'],
    ['kubectl get rolebindings'],
    ['az role assignment list'],
    ['vault kv get secret/x'],
    ['gem list'],
  ])('%s only looks', (line) => {
    expect(actsOf(line).filter((act) => act.startsWith('permission'))).toEqual([]);
  });
});
