import { describe, expect, it } from 'vitest';
import { actsOf } from '../expect-acts.ts';

describe('what goes out to others', () => {
  it.each([
    ['npm dist-tag add pkg@1 latest', 'publish'],
    ['npm deprecate pkg@1 "old"', 'publish'],
    ['pnpm changeset publish', 'publish'],
    ['cargo yank x --version 1.0.0', 'delete'],
    ['python -m flit publish', 'publish'],
    ['podman push r/x', 'publish'],
    ['docker build --push -t r/x .', 'publish'],
    ['docker buildx bake --push', 'publish'],
    ['docker stack deploy -c x.yml app', 'deploy'],
    ['skopeo copy docker://a docker://b', 'publish'],
    ['gem yank x -v 1', 'delete'],
    ['./gradlew publish', 'publish'],
    ['goreleaser release --clean', 'publish'],
    ['aws s3 sync dist s3://bucket', 'deploy'],
    ['aws s3 cp dist/x s3://bucket/x', 'deploy'],
    ['aws s3 rm s3://bucket/x', 'delete'],
    ['aws s3 rb s3://bucket', 'delete'],
    ['aws ecs update-service --service s', 'deploy'],
    ['vercel rm app', 'delete'],
    ['vercel rollback', 'deploy'],
    ['fly apps destroy app', 'delete'],
    ['rsync -a dist/ me@host:/srv', 'deploy?'],
    ['scp x host:', 'deploy?'],
    ['heroku apps:destroy app', 'delete'],
    ['gcloud --project p run deploy app', 'deploy'],
  ])('%s is %s', (line, kind) => {
    expect(actsOf(line).map((act) => act.split(' ')[0])).toEqual([kind]);
  });

  it.each([
    ['npm pack'],
    ['npm dist-tag ls pkg'],
    ['docker build -t r/x .'],
    ['docker buildx bake'],
    ['docker pull r/x'],
    ['aws s3 sync dist s3://bucket --dryrun'],
    ['aws s3 cp s3://bucket/x dist/x'],
    ['aws s3 ls s3://bucket'],
    ['vercel --version'],
    ['vercel dev'],
    ['rsync -a src/ dist/'],
    ['rsync -an dist/ me@host:/srv'],
    ['scp host:x .'],
    ['cp a:b c'],
    ['python -m http.server'],
  ])('%s stays here', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});

describe('a version', () => {
  it.each([
    ['helm upgrade --install app chart --version 1.2.3', 'deploy app chart'],
    ['helm install --version 1.2.3 app chart', 'deploy app chart'],
    ['helm upgrade app chart --version=1.2.3', 'deploy app chart'],
    ['cargo yank x --version 1.0.0', 'delete x'],
    ['eb deploy --version v1', 'deploy v1'],
  ])('that is named changes what is done, and not whether: %s', (line, act) => {
    expect(actsOf(line)).toEqual([act]);
  });

  it.each([
    ['helm --version'],
    ['helm upgrade --version'],
    ['cargo --version publish'],
    ['ansible-playbook --version'],
    ['fastlane --version'],
  ])('that is asked for does nothing: %s', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});

describe('a rehearsal of a command', () => {
  it.each([['npm publish --dry-run'], ['kubectl apply -f x --dry-run=server']])(
    'does nothing: %s',
    (line) => {
      expect(actsOf(line)).toEqual([]);
    },
  );

  it.each([
    ['npm publish --dry-run=false', 'publish'],
    ['kubectl apply -f x --dry-run=none', 'deploy'],
  ])('that says that it is none is none: %s', (line, kind) => {
    expect(actsOf(line)).toEqual([kind]);
  });
});

describe('what other things run on', () => {
  it.each([
    ['terraform apply -auto-approve', 'infrastructure'],
    ['terraform -chdir=infra apply', 'infrastructure'],
    ['terraform state rm x', 'delete'],
    ['terraform workspace delete x', 'delete'],
    ['terragrunt run-all destroy', 'delete'],
    ['tofu import a b', 'infrastructure'],
    ['pulumi -s prod up', 'infrastructure'],
    ['pulumi stack rm prod', 'delete'],
    ['cdk -a "node app" deploy', 'infrastructure'],
    ['aws --region eu ec2 terminate-instances --instance-ids i', 'delete'],
    ['gcloud compute instances create x --zone z', 'infrastructure'],
    ['az group delete -n x', 'delete'],
    ['doctl compute droplet delete x', 'delete'],
  ])('%s is %s', (line, kind) => {
    expect(actsOf(line).map((act) => act.split(' ')[0])).toEqual([kind]);
  });

  it.each([
    ['terraform plan'],
    ['terraform apply -help'],
    ['terraform state list'],
    ['terraform validate'],
    ['pulumi preview'],
    ['cdk diff'],
    ['aws ec2 describe-instances'],
    ['gcloud compute instances list'],
    ['az group list'],
  ])('%s only looks', (line) => {
    expect(actsOf(line)).toEqual([]);
  });
});
